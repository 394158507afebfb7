/**
 * The lifecycle of `UserGroup`.
 *
 * | operation   | request                                | effect                                                   |
 * | ----------- | -------------------------------------- | -------------------------------------------------------- |
 * | check, diff | none                                   | validates; returns and announces the change              |
 * | create      | GET (get-or-create)                    | the group exists; its token is stored                    |
 * | read        | GET (get-or-create)                    | drift is stored; a group that was gone exists again      |
 * | update      | none, or GET with `changes: update`    | the state changes, or the group and the state            |
 * | delete      | DELETE; if refused, GET and DELETE     | the group is gone                                        |
 */
import { nameOf, type Subject } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import type { ValidationIssue } from "../../validation";
import { isUnknown, propertiesOf, type JsonObject } from "../../values";
import {
  argumentIssues,
  connectionIn,
  parseArguments,
  userGroupArguments,
  type UserGroupArguments,
} from "../arguments";
import { changedFields, replacingFields } from "../changes";
import { declareGroups } from "../deployment/declarations";
import { onGroup, type GroupContext } from "../group/context";
import { RetainedGroupError } from "../group/errors";
import { createGroup, deleteGroup, lookUpGroup, readGroup, updateGroup } from "../group/operations";
import { withoutDrift, withoutState, type StoredGroup } from "../group/storedGroup";
import { withWarnings } from "../group/warnings";
import type {
  CheckRequest,
  Deployment,
  Lifecycle,
  ReadOptions,
  ReadState,
  ResourceState,
} from "../lifecycle";
import { openService, openServiceOf, type Service } from "../services";
import { parseLookupState, parseUserGroupState, toState, toStoredGroup } from "../state";
import { diffUserGroup } from "./diff";

/** The arguments of the resource beside its group. */
type Shared = Pick<UserGroupArguments, "adopt" | "connection">;

export function userGroupLifecycle(deployment: Deployment): Lifecycle {
  return {
    check: (request) => check(request, deployment),
    diff: (request) => diffUserGroup(request, deployment),

    async create(inputs) {
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, inputs);
      const service = openService(deployment, connection);
      const result = stateMaker({ adopt, connection }, service.settings.baseUrl);
      try {
        const create = (context: GroupContext) => createGroup(group, adopt ?? true, context);
        return result(await run("create", group.userGroupId, service, deployment, create));
      } catch (error) {
        if (!(error instanceof RetainedGroupError)) throw error;
        return { ...result(error.group), failure: { error: error.error, reasons: [error.message] } };
      }
    },

    async read(id, state, options) {
      if (state["token"] == null) return lookUp(id, state, deployment, options);
      const former = parseUserGroupState(nameOf({ userGroupId: id }), state);
      const service = openServiceOf(former, deployment, `read ${nameOf({ userGroupId: id })}`);
      const { group } = await run("read", id, service, deployment, (context) =>
        readGroup(toStoredGroup(id, former), context),
      );
      return withInputs(group, former, service.settings.baseUrl);
    },

    async update(id, olds, news) {
      const former = parseUserGroupState(nameOf({ userGroupId: id }), olds);
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, news);
      const stored = toStoredGroup(id, former);
      if (changedFields(replacingFields, stored, group).length === 0) {
        const { baseUrl = former.baseUrl } = readPartialSettings(deployment.sources, connection);
        const { token, adopted, storedAs } = withoutDrift(stored);
        return stateMaker({ adopt, connection }, baseUrl)({ ...group, token, adopted, storedAs });
      }
      const service = openServiceOf({ ...former, connection }, deployment, `update ${nameOf(group)}`);
      const updated = await run("update", id, service, deployment, (context) =>
        updateGroup(stored, group, context),
      );
      return stateMaker({ adopt, connection }, service.settings.baseUrl)(updated);
    },

    async delete(id, state) {
      const former = parseUserGroupState(nameOf({ userGroupId: id }), state);
      const service = openServiceOf(former, deployment, `delete ${nameOf({ userGroupId: id })}`);
      await run("delete", id, service, deployment, (context) =>
        deleteGroup(toStoredGroup(id, former), "engine", context),
      );
    },
  };
}

function check({ resource, olds, news }: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(news);
  readPartialSettings(deployment.sources, connectionIn(inputs));
  const { userGroupId } = inputs;
  const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
  const groups: [string, JsonObject][] = isKnown ? [[userGroupId, inputs]] : [];
  return [
    ...argumentIssues(userGroupArguments, inputs),
    ...declareGroups({ resource, inputs, olds, groups }, deployment),
  ];
}

/** Runs an operation on the group, and logs its warnings. */
function run<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  service: Service,
  deployment: Deployment,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  return withWarnings(deployment.logger, (warn) =>
    onGroup(operation, userGroupId, { deployment, service, warn }, work),
  );
}

async function lookUp(
  id: string,
  state: JsonObject,
  deployment: Deployment,
  { mustExist = false }: ReadOptions = {},
): Promise<ReadState> {
  const { adopt, connection, baseUrl, ...group } = parseLookupState(nameOf({ userGroupId: id }), state);
  const service = openService(deployment, connection);
  const isComplete = group.mapping !== undefined && group.properties !== undefined;
  const stored = await run("read", id, service, deployment, (context) =>
    lookUpGroup({ ...group, userGroupId: id }, { isComplete, mustExist }, context),
  );
  return withInputs(stored, { adopt, connection }, service.settings.baseUrl);
}

function stateMaker(
  { adopt, connection }: Shared,
  baseUrl: string | undefined,
): (stored: StoredGroup) => ResourceState {
  return (stored) => ({ id: stored.userGroupId, state: { ...toState(stored), adopt, connection, baseUrl } });
}

/** The state after a read, with its inputs. */
function withInputs(stored: StoredGroup, { adopt, connection }: Shared, baseUrl: string): ReadState {
  const inputs = { ...withoutState(stored), adopt, connection };
  return { ...stateMaker({ adopt, connection }, baseUrl)(stored), inputs };
}

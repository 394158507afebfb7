/**
 * The lifecycle of `UserGroup`.
 *
 * | operation   | request                                | effect                                                   |
 * | ----------- | -------------------------------------- | -------------------------------------------------------- |
 * | check, diff | none                                   | validates; returns and announces the change              |
 * | create      | GET (get-or-create)                    | the group exists; its token is recorded                  |
 * | read        | GET (get-or-create)                    | drift is recorded; a group that was gone exists again    |
 * | update      | none, or GET with `changes: update`    | the state changes, or the group and the state            |
 * | delete      | DELETE; if refused, GET and DELETE     | the group is gone                                        |
 */
import { nameOf, type Subject } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import { findIssues, type ValidationIssue } from "../validation";
import { propertiesOf, unknownValue, type JsonObject } from "../values";
import { connectionIn, parseArguments, userGroupArguments, type UserGroupArguments } from "./arguments";
import { changedFields, replacingFields } from "./changes";
import { declarationIssues } from "./declarations";
import { withoutState, type StoredGroup } from "./storedGroup";
import { onGroup } from "./groupContext";
import { RetainedGroupError } from "./groupErrors";
import {
  createGroup,
  deleteGroup,
  lookUpGroup,
  readGroup,
  updateGroup,
  type GroupContext,
} from "./groupOperations";
import type { CheckRequest, Dependencies, Lifecycle, ReadOptions, ResourceState } from "./lifecycle";
import { openService, openServiceOf, type Service } from "./services";
import { toStoredGroup, parseLookupState, parseUserGroupState } from "./state";
import { diffUserGroup } from "./userGroupDiff";
import { withWarnings } from "./warnings";

/** The arguments of the resource beside its group. */
type Shared = Pick<UserGroupArguments, "adopt" | "connection">;

export function userGroupLifecycle(dependencies: Dependencies): Lifecycle {
  return {
    check: (request) => check(request, dependencies),
    diff: (request) => diffUserGroup(request, dependencies),

    async create(inputs) {
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, inputs);
      const service = openService(dependencies, connection);
      const create = (context: GroupContext) => createGroup(group, adopt ?? true, context);
      const toState = stateMaker({ adopt, connection }, service.settings.baseUrl);
      try {
        return toState(await run("create", group.userGroupId, service, dependencies, create));
      } catch (error) {
        if (!(error instanceof RetainedGroupError)) throw error;
        return { ...toState(error.group), failure: { error: error.error, reasons: [error.message] } };
      }
    },

    async read(id, state, options) {
      if (state["token"] == null) return lookUp(id, state, dependencies, options);
      const former = parseUserGroupState(nameOf({ userGroupId: id }), state);
      const service = openServiceOf(former, dependencies, `read ${nameOf({ userGroupId: id })}`);
      const stored = await run("read", id, service, dependencies, (context) =>
        readGroup(toStoredGroup(id, former), context),
      );
      return withInputs(stored, former, service.settings.baseUrl);
    },

    async update(id, olds, news) {
      const former = parseUserGroupState(nameOf({ userGroupId: id }), olds);
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, news);
      const { token, adopted, shown, sent, ...stored } = toStoredGroup(id, former);
      if (changedFields(replacingFields, stored, group).length === 0) {
        const { baseUrl = former.baseUrl } = readPartialSettings(dependencies.sources, connection);
        return stateMaker({ adopt, connection }, baseUrl)({ ...group, token, adopted, shown, sent });
      }
      const service = openServiceOf({ ...former, connection }, dependencies, `update ${nameOf(group)}`);
      const updated = await run("update", id, service, dependencies, (context) =>
        updateGroup(toStoredGroup(id, former), group, context),
      );
      return stateMaker({ adopt, connection }, service.settings.baseUrl)(updated);
    },

    async delete(id, state) {
      const former = parseUserGroupState(nameOf({ userGroupId: id }), state);
      const service = openServiceOf(former, dependencies, `delete ${nameOf({ userGroupId: id })}`);
      await run("delete", id, service, dependencies, (context) =>
        deleteGroup(toStoredGroup(id, former), context),
      );
    },
  };
}

function check({ resource, olds, news }: CheckRequest, dependencies: Dependencies): ValidationIssue[] {
  const inputs = propertiesOf(news);
  const connection = connectionIn(inputs);
  const settings = readPartialSettings(dependencies.sources, connection);
  const groups = groupIn(inputs);
  const declared = { resource, groups, recorded: groupIn(propertiesOf(olds)) };
  return [
    ...findIssues(userGroupArguments, inputs),
    ...declarationIssues(declared, { ...dependencies, settings, connection }),
  ];
}

/** The group of the inputs, if its ID is known. */
function groupIn(inputs: JsonObject): [string, JsonObject][] {
  const { userGroupId } = inputs;
  return typeof userGroupId === "string" && userGroupId !== unknownValue ? [[userGroupId, inputs]] : [];
}

/** Runs an operation on the group, and logs its warnings. */
function run<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  service: Service,
  dependencies: Dependencies,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  return withWarnings(dependencies.logger, (warn) =>
    onGroup(operation, userGroupId, service, { ...dependencies, warn }, work),
  );
}

async function lookUp(
  id: string,
  state: JsonObject,
  dependencies: Dependencies,
  { mustExist = false }: ReadOptions = {},
): Promise<ResourceState & { inputs: JsonObject }> {
  const { adopt, connection, baseUrl, ...group } = parseLookupState(nameOf({ userGroupId: id }), state);
  const service = openService(dependencies, connection);
  const isComplete = group.mapping !== undefined && group.properties !== undefined;
  const stored = await run("read", id, service, dependencies, (context) =>
    lookUpGroup({ ...group, userGroupId: id }, { isComplete, mustExist }, context),
  );
  return withInputs(stored, { adopt, connection }, service.settings.baseUrl);
}

function stateMaker(
  { adopt, connection }: Shared,
  baseUrl: string | undefined,
): (stored: StoredGroup) => ResourceState {
  return (stored) => ({ id: stored.userGroupId, state: { ...stored, adopt, connection, baseUrl } });
}

/** The state after a read, with its inputs. */
function withInputs(
  stored: StoredGroup,
  { adopt, connection }: Shared,
  baseUrl: string,
): ResourceState & { inputs: JsonObject } {
  const inputs = { ...withoutState(stored), adopt, connection };
  return { ...stateMaker({ adopt, connection }, baseUrl)(stored), inputs };
}

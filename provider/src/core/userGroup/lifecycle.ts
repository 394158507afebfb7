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
import { isUnknown, propertiesOf } from "../../values";
import { argumentIssues, parseArguments, userGroupArguments } from "../arguments";
import { changedFields, replacingFields } from "../changes";
import { declareGroups } from "../deployment/declarations";
import { onGroup, onResource, type GroupContext } from "../group/context";
import { RetainedGroupError } from "../group/errors";
import { createGroup, deleteGroup, lookUpGroup, readGroup, updateGroup } from "../group/operations";
import { withoutDrift, type Group } from "../group/storedGroup";
import type { CheckRequest, Deployment, Lifecycle, ResourceState } from "../lifecycle";
import type { Location } from "../services";
import { lookupState, parseState, toStoredGroup, userGroupResult, userGroupState } from "../state";
import { diffUserGroup } from "./diff";

export function userGroupLifecycle(deployment: Deployment): Lifecycle {
  const run = <Result>(
    operation: Subject["operation"],
    userGroupId: string,
    location: Location,
    work: (context: GroupContext) => Promise<Result>,
  ) =>
    onResource(`${operation} ${nameOf({ userGroupId })}`, location, deployment, (context) =>
      onGroup(operation, userGroupId, context, work),
    );
  return {
    check: (request) => check(request, deployment),
    diff: (request) => diffUserGroup(request, deployment),

    async create(inputs) {
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, inputs);
      return run("create", group.userGroupId, { connection }, (context) =>
        create(group, { adopt, connection }, context),
      );
    },

    async read(id, state, { mustExist = false } = {}) {
      const subject = nameOf({ userGroupId: id });
      if (state["token"] == null) {
        const { adopt, connection, baseUrl, ...group } = parseState(lookupState, subject, state);
        return run("read", id, { connection }, async (context) => {
          const found = await lookUpGroup({ ...group, userGroupId: id }, mustExist, context);
          return userGroupResult(found, { adopt, connection }, context.settings.baseUrl);
        });
      }
      const former = parseState(userGroupState, subject, state);
      return run("read", id, former, async (context) => {
        const { group } = await readGroup(toStoredGroup(id, former), context);
        return userGroupResult(group, former, context.settings.baseUrl);
      });
    },

    async update(id, olds, news) {
      const former = parseState(userGroupState, nameOf({ userGroupId: id }), olds);
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, news);
      const stored = toStoredGroup(id, former);
      if (changedFields(replacingFields, stored, group).length === 0) {
        const { baseUrl = former.baseUrl } = readPartialSettings(deployment.sources, connection);
        return userGroupResult(withoutDrift(stored, group), { adopt, connection }, baseUrl);
      }
      return run("update", id, { ...former, connection }, async (context) => {
        const updated = await updateGroup(stored, group, context);
        return userGroupResult(updated, { adopt, connection }, context.settings.baseUrl);
      });
    },

    async delete(id, state) {
      const former = parseState(userGroupState, nameOf({ userGroupId: id }), state);
      await run("delete", id, former, (context) => deleteGroup(toStoredGroup(id, former), "engine", context));
    },
  };
}

function check(request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(request.news);
  const { userGroupId } = inputs;
  const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
  return [
    ...argumentIssues(userGroupArguments, inputs),
    ...declareGroups(request, isKnown ? [[userGroupId, inputs]] : [], deployment),
  ];
}

async function create(
  group: Group,
  { adopt, connection }: { adopt?: boolean | undefined; connection?: string | undefined },
  context: GroupContext,
): Promise<ResourceState> {
  const { baseUrl } = context.settings;
  try {
    const created = await createGroup(group, adopt ?? true, context);
    return userGroupResult(created, { adopt, connection }, baseUrl);
  } catch (error) {
    if (!(error instanceof RetainedGroupError)) throw error;
    const retained = userGroupResult(error.group, { adopt, connection }, baseUrl);
    return { ...retained, failure: { error, reasons: [error.message] } };
  }
}

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
import { findIssues, type ValidationIssue } from "../../validation";
import { isUnknown, propertiesOf, type JsonObject } from "../../values";
import { connectionIn, parseArguments, userGroupArguments } from "../arguments";
import { changedFields, detailsOf, keeperFields, replacingFields, stateFields } from "../changes";
import { declareGroups, recordGroups } from "../deployment/declarations";
import { isDeleted } from "../deployment/decisions";
import { keyOf } from "../deployment/facts";
import { onGroup, onResource, type GroupContext } from "../group/context";
import { RetainedGroupError } from "../group/errors";
import { createGroup, deleteGroup, lookUpGroup, readGroup, updateGroup } from "../group/operations";
import { withoutDrift, type Group } from "../group/recordedGroup";
import type { CheckRequest, Deployment, Diff, DiffRequest, Lifecycle, ResourceState } from "../lifecycle";
import { addressChange, type Location } from "../services";
import { lookupState, parseState, toRecordedGroup, userGroupResult, userGroupState } from "../state";

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
    diff: (request) => diff(request, deployment),

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
        const { group } = await readGroup(toRecordedGroup(id, former), context);
        return userGroupResult(group, former, context.settings.baseUrl);
      });
    },

    async update(id, olds, news) {
      const former = parseState(userGroupState, nameOf({ userGroupId: id }), olds);
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, news);
      const stored = toRecordedGroup(id, former);
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
      await run("delete", id, former, (context) =>
        deleteGroup(toRecordedGroup(id, former), "engine", context),
      );
    },
  };
}

function check(request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(request.news);
  const { userGroupId } = inputs;
  const isKnown = typeof userGroupId === "string" && !isUnknown(userGroupId);
  return [
    ...findIssues(userGroupArguments, inputs),
    ...declareGroups(request, isKnown ? [[userGroupId, inputs]] : [], deployment),
  ];
}

function diff({ id, olds, news, isForeign = false }: DiffRequest, deployment: Deployment): Diff {
  const [old, wanted] = [{ ...propertiesOf(olds), userGroupId: id }, propertiesOf(news)];
  const settings = readPartialSettings(deployment.sources, connectionIn(wanted));
  const address = addressChange(old, wanted, deployment, `update ${nameOf({ userGroupId: id })}`);
  const stored = toRecordedGroup(id, parseState(userGroupState, nameOf({ userGroupId: id }), old));
  const moved = [
    ...changedFields(["userGroupId"], old, wanted),
    ...(address === "other-service" ? ["connection"] : []),
  ];
  const isMoved = moved.length > 0;
  const rewritten: string[] = changedFields(replacingFields, old, wanted);
  const keepers: string[] = changedFields(keeperFields, old, wanted);
  const replaced = settings.changes === "replace" ? [...rewritten, ...keepers] : keepers;
  const isGone = isDeleted(deployment.facts, stored.token);
  const replaces = [...moved, ...replaced, ...(isGone && !isMoved ? ["token"] : [])];
  const others = changedFields([...replacingFields, ...stateFields, "connection"], old, wanted);
  const changed = [...new Set([...replaces, ...others])];
  if (deployment.facts.hasProgram) {
    // A replacement deletes the group by its former connection.
    const connection = connectionIn(replaces.length > 0 ? old : wanted);
    recordGroups([{ userGroupId: id, connection, group: stored, stays: !isMoved }], deployment);
    if (replaces.length > 0 && !isMoved)
      deployment.facts.add(keyOf(connection, id), { kind: "replaced", stored });
    warnOfNewToken(nameOf({ userGroupId: id }), replaces, wanted, isMoved, deployment);
  }
  const isDriftTakenOver = rewritten.length === 0 && stored.lastSent !== undefined;
  return {
    changes: changed.length > 0 || address === "state-only" || isForeign || isDriftTakenOver,
    replaces,
    // Also without a change: with `--replace`, the engine must not delete the group that was just adopted.
    deleteBeforeReplace: !isMoved,
    details: new Map(detailsOf(changed, old, wanted)),
  };
}

/** Warns of the reason for a new token, except in a move to another known ID or service, which the preview shows. */
function warnOfNewToken(
  name: string,
  fields: readonly string[],
  wanted: JsonObject,
  isMoved: boolean,
  { logger }: Deployment,
): void {
  const unknown = fields.filter((field) => isUnknown(wanted[field]));
  const known = fields.filter((field) => !unknown.includes(field));
  if (!isMoved && known.length > 0) {
    const isPlural = known.length > 1 || known.some((field) => field.endsWith("s"));
    const because = known.includes("token")
      ? "another resource has deleted it in this update"
      : `its ${known.join(" and ")} ${isPlural ? "change" : "changes"}`;
    logger.warn(`${name} is deleted and created again, and gets a new token, because ${because}.`);
  } else if (unknown.length > 0)
    logger.warn(
      `${name} is possibly deleted and created again with a new token, because a value of its ${unknown.join(" and ")} ` +
        "isn't known yet: it depends on another resource of this update.",
    );
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

import { nameOf, type Subject } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import { findIssues, type ValidationIssue } from "../../validation";
import { isUnknown, propertiesOf } from "../../values";
import { connectionIn, parseArguments, userGroupArguments } from "../arguments";
import { changedFields, changeOf, detailsOf, replacingFields } from "../changes";
import { declareGroups, recordGroups } from "../deployment/declarations";
import { isDeleted } from "../deployment/decisions";
import { keyOf } from "../deployment/facts";
import { onGroup, onResource, type GroupContext } from "../group/context";
import { RetainedGroupError } from "../group/errors";
import { createGroup, deleteGroup, lookUpGroup, readGroup, updateGroup } from "../group/operations";
import { withoutDrift, type RecordedGroup } from "../group/recordedGroup";
import type { CheckRequest, Deployment, Diff, DiffRequest, Lifecycle, ResourceState } from "../lifecycle";
import { addressChange, type Location } from "../services";
import { lookupState, parseState, parseUserGroup, userGroupResult } from "../state";

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
      return run("create", group.userGroupId, { connection }, (context) => {
        const result = (created: RecordedGroup) =>
          userGroupResult(created, { adopt, connection }, context.settings.baseUrl);
        return createGroup(group, adopt ?? true, context).then(result, (error: unknown): ResourceState => {
          if (!(error instanceof RetainedGroupError)) throw error;
          return { ...result(error.group), failure: { error, reasons: [error.message] } };
        });
      });
    },

    async read(id, state, { mustExist = false } = {}) {
      if (state["token"] == null) {
        const lookup = parseState(lookupState, nameOf({ userGroupId: id }), state);
        const { adopt, connection, baseUrl, ...group } = lookup;
        return run("read", id, { connection }, async (context) => {
          const found = await lookUpGroup({ ...group, userGroupId: id }, mustExist, context);
          return userGroupResult(found, { adopt, connection }, context.settings.baseUrl);
        });
      }
      const former = parseUserGroup(id, state);
      return run("read", id, former, async (context) => {
        const { group } = await readGroup(former.group, context);
        return userGroupResult(group, former, context.settings.baseUrl);
      });
    },

    async update(id, olds, news) {
      const former = parseUserGroup(id, olds);
      const { adopt, connection, ...group } = parseArguments(userGroupArguments, news);
      if (changedFields(replacingFields, former.group, group).length === 0) {
        const { baseUrl = former.baseUrl } = readPartialSettings(deployment.sources, connection);
        return userGroupResult(withoutDrift(former.group, group), { adopt, connection }, baseUrl);
      }
      return run("update", id, { ...former, connection }, async (context) => {
        const updated = await updateGroup(former.group, group, context);
        return userGroupResult(updated, { adopt, connection }, context.settings.baseUrl);
      });
    },

    async delete(id, state) {
      const former = parseUserGroup(id, state);
      await run("delete", id, former, (context) => deleteGroup(former.group, "engine", context));
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
  const { facts, logger, sources } = deployment;
  const [old, wanted] = [{ ...propertiesOf(olds), userGroupId: id }, propertiesOf(news)];
  const name = nameOf({ userGroupId: id });
  const { changes } = readPartialSettings(sources, connectionIn(wanted));
  const address = addressChange(old, wanted, deployment, `update ${name}`);
  const { group } = parseUserGroup(id, old);
  const change = changeOf(group, wanted, changes);
  const isMovedTo = address === "other-service" ? ["connection"] : [];
  const moved = [...changedFields(["userGroupId"], old, wanted), ...isMovedTo];
  const isMoved = moved.length > 0;
  const isGone = !isMoved && isDeleted(facts, group.token);
  const replaces = [...moved, ...change.replaces, ...(isGone ? ["token"] : [])];
  const others = changedFields(["adopt", "connection"], old, wanted);
  const changed = [...new Set([...replaces, ...change.fields, ...others])];
  if (facts.hasProgram) {
    // A replacement deletes the group by its former connection.
    const connection = connectionIn(replaces.length > 0 ? old : wanted);
    recordGroups([{ kind: isMoved ? "leaving" : "recorded", group }], deployment, connection);
    if (replaces.length > 0 && !isMoved) facts.add(keyOf(connection, id), { kind: "replaced", group });
    const unknown = replaces.filter((field) => isUnknown(wanted[field]));
    const known = replaces.filter((field) => !isMoved && !unknown.includes(field));
    const warning = newTokenWarning(name, known, unknown);
    if (warning !== undefined) logger.warn(warning);
  }
  return {
    changes: changed.length > 0 || address === "state-only" || isForeign || change.isDriftTakenOver,
    replaces,
    // Also without a change: with `--replace`, the engine must not delete the group that was just adopted.
    deleteBeforeReplace: !isMoved,
    details: new Map(detailsOf(changed, old, wanted)),
  };
}

/** The reason for a new token, except in a move to another known ID or service, which the preview shows. */
function newTokenWarning(name: string, known: readonly string[], unknown: readonly string[]) {
  if (known.length > 0) {
    const isPlural = known.length > 1 || known.some((field) => field.endsWith("s"));
    const because = known.includes("token")
      ? "another resource has deleted it in this update"
      : `its ${known.join(" and ")} ${isPlural ? "change" : "changes"}`;
    return `${name} is deleted and created again, and gets a new token, because ${because}.`;
  }
  if (unknown.length === 0) return undefined;
  return (
    `${name} is possibly deleted and created again with a new token, because a value of its ${unknown.join(" and ")} ` +
    "isn't known yet: it depends on another resource of this update."
  );
}

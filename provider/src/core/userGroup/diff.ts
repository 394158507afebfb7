/** The diff of a `UserGroup`: whether a change replaces the group, updates it, or changes the state only. */
import { nameOf } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import { changedFields, detailsOf, keeperFields, replacingFields, stateFields } from "../changes";
import { recordGroups } from "../deployment/declarations";
import { isDeleted } from "../deployment/decisions";
import { keyOf } from "../deployment/facts";
import type { Deployment, Diff, DiffRequest } from "../lifecycle";
import { addressChange } from "../services";
import { storedGroupIn } from "../state";

export function diffUserGroup(
  { id, olds, news, isForeign = false }: DiffRequest,
  deployment: Deployment,
): Diff {
  const [old, wanted] = [{ ...propertiesOf(olds), userGroupId: id }, propertiesOf(news)];
  const settings = readPartialSettings(deployment.sources, connectionIn(wanted));
  const address = addressChange(old, wanted, deployment, `update ${nameOf({ userGroupId: id })}`);
  const stored = storedGroupIn(id, old);
  const moved = [
    ...changedFields(["userGroupId"], old, wanted),
    ...(address === "other-service" ? ["connection"] : []),
  ];
  const isMoved = moved.length > 0;
  const rewritten: string[] = changedFields(replacingFields, old, wanted);
  const keepers: string[] = changedFields(keeperFields, old, wanted);
  const replaced = settings.changes === "replace" ? [...rewritten, ...keepers] : keepers;
  const isGone = stored !== undefined && isDeleted(deployment.facts, stored.token);
  const replaces = [...moved, ...replaced, ...(isGone && !isMoved ? ["token"] : [])];
  const others = changedFields([...replacingFields, ...stateFields, "connection"], old, wanted);
  const changed = [...new Set([...replaces, ...others])];
  if (stored && deployment.facts.hasProgram) {
    const connection = connectionIn(isMoved ? old : wanted);
    recordGroups([{ userGroupId: id, connection, group: stored, stays: !isMoved }], deployment);
    if (replaces.length > 0 && !isMoved)
      deployment.facts.add(keyOf(connection, id), { kind: "replaced", stored });
    warnOfNewToken(nameOf({ userGroupId: id }), replaces, wanted, isMoved, deployment);
  }
  const isDriftTakenOver = rewritten.length === 0 && stored?.lastSent !== undefined;
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

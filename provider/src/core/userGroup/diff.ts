/** The diff of a `UserGroup`: whether a change replaces the group, updates it, or changes the state only. */
import { nameOf } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import {
  changedFields,
  detailsOf,
  keeperFields,
  replacingFields,
  stateFields,
  type ChangeKind,
} from "../changes";
import { recordGroups } from "../deployment/declarations";
import { isDeleted } from "../deployment/decisions";
import { heldGroup, keyOf } from "../deployment/facts";
import type { StoredGroup } from "../group/storedGroup";
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
  const rewritten: string[] = changedFields(replacingFields, old, wanted);
  const keepers: string[] = changedFields(keeperFields, old, wanted);
  const replaced = settings.changes === "replace" ? [...rewritten, ...keepers] : keepers;
  const isGone = stored !== undefined && isDeleted(deployment.facts, stored.token);
  const replaces = [...moved, ...replaced, ...(isGone && moved.length === 0 ? ["token"] : [])];
  const others = changedFields([...replacingFields, ...stateFields, "connection"], old, wanted).filter(
    (field) => !replaces.includes(field),
  );
  if (stored) note(stored, old, wanted, { isMoved: moved.length > 0, replaces }, deployment);
  const isDriftTakenOver = rewritten.length === 0 && stored?.lastSent !== undefined;
  return {
    changes: replaces.length + others.length > 0 || address === "state-only" || isForeign || isDriftTakenOver,
    replaces,
    // Also without a change: with `--replace`, the engine must not delete the group that was just adopted.
    deleteBeforeReplace: moved.length === 0,
    details: new Map<string, ChangeKind>([
      ...detailsOf(replaces, old, wanted, { isReplaced: true }),
      ...detailsOf(others, old, wanted, { isReplaced: false }),
    ]),
  };
}

/** Adds the diff to the facts. Warns about a new token, but not in a refresh, which ignores the diff. */
function note(
  stored: StoredGroup,
  old: JsonObject,
  wanted: JsonObject,
  { isMoved, replaces }: { isMoved: boolean; replaces: readonly string[] },
  deployment: Deployment,
): void {
  const { facts, logger } = deployment;
  if (!facts.hasProgram) return;
  const { userGroupId } = stored;
  const connection = connectionIn(isMoved ? old : wanted);
  recordGroups([{ userGroupId, connection, group: heldGroup(stored), stays: !isMoved }], deployment);
  if (replaces.length === 0) return;
  if (!isMoved) facts.add(keyOf(connection, userGroupId), { kind: "replaced", stored });
  const sentence = replacementSentence(userGroupId, replaces, wanted, isMoved);
  if (sentence !== undefined) logger.warn(sentence);
}

/** The reason for a new token; undefined for a move to another known ID or service, which the preview shows. */
function replacementSentence(
  userGroupId: string,
  fields: readonly string[],
  wanted: JsonObject,
  isMoved: boolean,
): string | undefined {
  const unknown = fields.filter((field) => isUnknown(wanted[field]));
  const known = fields.filter((field) => !unknown.includes(field));
  const name = nameOf({ userGroupId });
  if (isMoved || known.length === 0)
    return unknown.length === 0
      ? undefined
      : `${name} is possibly deleted and created again with a new token, because a value of its ${unknown.join(" and ")} ` +
          "isn't known yet: it depends on another resource of this update.";
  const because = known.includes("token")
    ? "another resource has deleted it in this update"
    : `its ${known.join(" and ")} ${known.length > 1 || known.some((field) => field.endsWith("s")) ? "change" : "changes"}`;
  return `${name} is deleted and created again, and gets a new token, because ${because}.`;
}

/** The diff of a `UserGroup`: whether a change replaces the group, updates it, or changes the state only. */
import { nameOf } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import { propertiesOf, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import {
  changedFields,
  detailsOf,
  keeperFields,
  replacingFields,
  stateFields,
  type ChangeKind,
} from "./changes";
import type { GroupKey } from "./deploymentTracker";
import type { Dependencies, Diff, DiffRequest } from "./lifecycle";
import { addressChange, keyOf } from "./services";
import { storedGroupIn } from "./state";

export function diffUserGroup(
  { id, olds, news, isForeign = false }: DiffRequest,
  dependencies: Dependencies,
): Diff {
  const [old, wanted] = [{ ...propertiesOf(olds), userGroupId: id }, propertiesOf(news)];
  const connection = connectionIn(wanted);
  const settings = readPartialSettings(dependencies.sources, connection);
  const address = addressChange(old, wanted, dependencies, `update ${nameOf({ userGroupId: id })}`);
  const moved = [
    ...changedFields(["userGroupId"], old, wanted),
    ...(address === "other-service" ? ["connection"] : []),
  ];
  const rewritten: string[] = changedFields(replacingFields, old, wanted);
  const kept: string[] = changedFields(keeperFields, old, wanted);
  const replaced = settings.changes === "replace" ? [...rewritten, ...kept] : kept;
  const replaces = [...moved, ...replaced];
  const others = changedFields([...replacingFields, ...stateFields, "connection"], old, wanted).filter(
    (field) => !replaces.includes(field),
  );
  if (moved.length === 0) noteDiff(id, old, replaced, keyOf(settings, connection, id), dependencies);
  return {
    changes: replaces.length + others.length > 0 || address === "state-only" || isForeign,
    replaces,
    // Also without a change: with `--replace`, the engine must not delete the group that was just adopted.
    deleteBeforeReplace: moved.length === 0,
    details: new Map<string, ChangeKind>([
      ...detailsOf(replaces, old, wanted, { isReplaced: true }),
      ...detailsOf(others, old, wanted, { isReplaced: false }),
    ]),
  };
}

/** Passes the diff to the tracker. Warns about a new token, but not in a refresh, which ignores the diff. */
function noteDiff(
  userGroupId: string,
  old: JsonObject,
  replaced: readonly string[],
  key: GroupKey,
  { tracker, logger }: Dependencies,
): void {
  const stored = storedGroupIn(userGroupId, old);
  const { adopted, token } = old;
  tracker.noteOwn(key, old, adopted === false ? { token } : undefined);
  if (stored) tracker.noteDeletedFirst(key, stored);
  if (replaced.length === 0) return;
  tracker.noteReplaced(key);
  if (tracker.hasProgram) logger.warn(replacementSentence(userGroupId, replaced));
}

function replacementSentence(userGroupId: string, fields: readonly string[]): string {
  const isPlural = fields.length > 1 || fields.some((field) => field.endsWith("s"));
  return (
    `${nameOf({ userGroupId })} is deleted and created again, and gets a new token, ` +
    `because its ${fields.join(" and ")} ${isPlural ? "change" : "changes"}.`
  );
}

/** The effect of a change of each argument. diff, the documentation and the tests read these lists. */
import type { Settings } from "../settings/readSettings";
import { isEqual } from "../values";
import type { Group, RecordedGroup } from "./group/recordedGroup";

/** A change replaces the group, or updates it with `changes: update`. */
export const replacingFields = ["name", "mapping", "properties"] as const satisfies (keyof Group)[];

/** A change always replaces the group. */
export const keeperFields = ["keepers"] as const satisfies (keyof Group)[];

export function changedFields<Field extends string>(fields: readonly Field[], olds: object, news: object) {
  return fields.filter((field) => !isEqual(Reflect.get(olds, field), Reflect.get(news, field)));
}

/** The changed fields of a group that stays, and which of them replace it. */
export function changeOf(old: RecordedGroup, wanted: object, changes: Settings["changes"]) {
  const rewritten = changedFields(replacingFields, old, wanted);
  const keepers = changedFields(keeperFields, old, wanted);
  const others = changedFields(["dataSourceProvidedId"], old, wanted);
  return {
    fields: [...rewritten, ...keepers, ...others],
    replaces: [...(changes === "replace" ? rewritten : []), ...keepers],
    isUpdate: changes === "update" && rewritten.length > 0,
    /** The program has taken over a drift, which the state still has. */
    isDriftTakenOver: rewritten.length === 0 && old.lastSent !== undefined,
  };
}

/** The kind of a change of one property, as the engine names it. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE";

export function changeKind(old: unknown, wanted: unknown): ChangeKind {
  return isEqual(old, undefined) ? "ADD" : isEqual(wanted, undefined) ? "DELETE" : "UPDATE";
}

export type Detail = [path: string, kind: ChangeKind];

/** The detailed diff of some fields of one object: path → kind. */
export function detailsOf(fields: readonly string[], olds: object, news: object, prefix = ""): Detail[] {
  return fields.map((field) => [
    prefix + field,
    changeKind(Reflect.get(olds, field), Reflect.get(news, field)),
  ]);
}

/** The effect of a change of each argument of a group. diff, the documentation and the tests read these lists. */
import type { Settings } from "../../settings/readSettings";
import { isEqual, isUnknown, propertiesOf, type JsonObject } from "../../values";
import { unknowableFields, type Group, type StoredGroup } from "./storedGroup";

/** A change replaces the group, or updates it with `changes: update`. */
export const replacingFields = ["name", "mapping", "properties"] as const satisfies (keyof Group)[];

/** A change always replaces the group. */
export const keeperFields = ["keepers"] as const satisfies (keyof Group)[];

/** A change changes the state only. */
const stateFields = ["dataSourceProvidedId"] as const satisfies (keyof Group)[];

export function changedFields<Field extends string>(fields: readonly Field[], olds: object, news: object) {
  return fields.filter((field) => !isEqual(Reflect.get(olds, field), Reflect.get(news, field)));
}

/**
 * recreate: the group is deleted, then created again. renew: another group is created beside it (`overlap`). release: the group leaves the
 * state only. move: it leaves to another resource, which declares it. settle: a request ends a doubt. change state: fields change that
 * only the state has.
 */
export type Action =
  | "create"
  | "delete"
  | "move"
  | "release"
  | "recreate"
  | "renew"
  | "update"
  | "settle"
  | "change state"
  | "keep";

/** The changed fields of a group that stays. */
export interface GroupChange {
  readonly fields: readonly string[];
  /** The fields that give the group a new token. */
  readonly replaces: readonly string[];
  /** The fields that an update sends to the service. */
  readonly updates: readonly string[];
  /** The fields that an import didn't know. The program's values are taken over. */
  readonly claims: readonly string[];
  /** The program has taken over a drift, which the state still has. */
  readonly isDriftTakenOver: boolean;
}

export function changeOf(old: StoredGroup, wanted: object, changes: Settings["changes"]): GroupChange {
  const given: JsonObject = propertiesOf(wanted);
  const isUnknowable = (field: string) =>
    unknowableFields.some((each) => each === field && old.unknown?.includes(each));
  const isClaim = (field: string) => isUnknowable(field) && given[field] !== undefined;
  const isChange = (field: string) => !isUnknowable(field);
  const rewritten = changedFields(replacingFields, old, given);
  const keepers = changedFields(keeperFields, old, given).filter(isChange);
  const others = changedFields(stateFields, old, given);
  const known = rewritten.filter(isChange);
  const claims = unknowableFields.filter((field) => isClaim(field));
  return {
    fields: [...known, ...keepers, ...claims, ...others],
    replaces: [...(changes === "replace" ? known : []), ...keepers],
    updates: changes === "update" ? known : [],
    claims: claims.filter((field) => !isUnknown(given[field])),
    isDriftTakenOver: known.length === 0 && old.sent !== undefined,
  };
}

/** The kind of a change of one property, as the engine names it. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE";

export function changeKind(old: unknown, wanted: unknown): ChangeKind {
  if (isEqual(old, undefined)) return "ADD";
  return isEqual(wanted, undefined) ? "DELETE" : "UPDATE";
}

export type Detail = [path: string, kind: ChangeKind];

/** The detailed diff of some fields of one object: path → kind. */
export function detailsOf(fields: readonly string[], olds: object, news: object, prefix = ""): Detail[] {
  return fields.map((field) => [
    prefix + field,
    changeKind(Reflect.get(olds, field), Reflect.get(news, field)),
  ]);
}

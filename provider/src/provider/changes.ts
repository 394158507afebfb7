/** The rules of change: which argument of a group, when it differs, does what. */
import { isDeepStrictEqual } from "node:util";
import type { Group } from "../schema";

/** The service has no update that could be trusted with these: a change deletes the group and creates it again. */
export const replacingFields = ["name", "mapping", "properties"] as const satisfies (keyof Group)[];

/** A change of these means another group: it is created first, and the old one deleted after that. */
export const identityFields = ["userGroupId", "connection"] as const;

/** A change of these is one of the record only. */
export const recordFields = ["dataSourceProvidedId", "adopt"] as const;

/** Those of `fields` whose values differ. The order of keys is no difference. */
export function changedFields<Field extends string>(
  fields: readonly Field[],
  olds: Partial<Record<Field, unknown>>,
  news: Partial<Record<Field, unknown>>,
): Field[] {
  return fields.filter((field) => !isEqual(olds[field], news[field]));
}

/** Equality of JSON: an absent value is null, and -0 is 0. */
export function isEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

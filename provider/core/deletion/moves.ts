/**
 * Moves between resources: which ones are refused (`refusalOf`, which check and diff ask before any request), and whether the resource that
 * declares a customer would take over the group that another one has.
 */
import type { Settings } from "../../settings/readSettings";
import { isUnknown } from "../../values";
import { changedFields, keeperFields, valuesOf, type StoredGroup } from "../state/group";
import { derivedId } from "../rotation/overlap";
import type { Declaration } from "../deployment/facts";

/** The fields that must be equal for a group to move: an adoption can't verify them. Keepers are the user's own claim. */
export function fieldsOfMove(changes: Settings["changes"]) {
  return changes === "update" ? keeperFields : (["mapping", ...keeperFields] as const);
}

/** The fields among these in which two groups contradict each other. What an import didn't know contradicts nothing. */
export function contradictions(
  fields: readonly string[],
  one: StoredGroup,
  other: object & Pick<StoredGroup, "notImported">,
): string[] {
  const notImported: readonly string[] = [...(one.notImported ?? []), ...(other.notImported ?? [])];
  return changedFields(fields, one, other).filter((field) => !notImported.includes(field));
}

/** Whether the resource would adopt exactly this group, and claim nothing else of it. A value that isn't known yet contradicts nothing. */
export function wouldTakeOver(
  { values, overlap }: Declaration,
  stored: StoredGroup,
  changes: Settings["changes"],
): boolean {
  const changed = contradictions(fieldsOfMove(changes), stored, values);
  if (changed.some((field) => !isUnknown(values[field]))) return false;
  if (isUnknown(values) || isUnknown(overlap)) return true;
  const { userGroupId } = stored;
  const name = typeof values["name"] === "string" ? values["name"] : stored.name;
  const wanted = valuesOf({ ...values, userGroupId, name });
  const providedId = overlap === true ? derivedId(wanted, changes) : userGroupId;
  return providedId === stored.providedId;
}

/**
 * Why a move out of a `UserGroups` is refused; undefined: it isn't. A `UserGroups` never deletes a customer whom another resource declares, and
 * leaves the group only to a resource that would take it over. `hasGroup`: the declaring resource has a group of the customer already, so
 * that it adopts none.
 */
export function refusalOf(
  move: {
    readonly how: "delete" | "retain";
    readonly stored: StoredGroup;
    readonly declaration: Declaration;
    readonly hasGroup: boolean;
  },
  changes: Settings["changes"],
): "removed-elsewhere" | "mapping-conflict" | undefined {
  if (move.how === "delete") return "removed-elsewhere";
  const isFine = move.hasGroup || wouldTakeOver(move.declaration, move.stored, changes);
  return isFine ? undefined : "mapping-conflict";
}

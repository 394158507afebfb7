/**
 * What an update refuses before its first request: guards that the program drops, too many deletions, and the moves that
 * deletion/moves.ts finds.
 */
import type { Resource } from "../../values";
import type { Settings } from "../../settings/readSettings";
import type { Facts } from "../deployment/facts";
import { refusalOf } from "../deletion/moves";
import { aboveDeletionLimit, moveErrors, type RefusedMove } from "../messages/groupErrors";
import type { PreviewedWanted } from "../state/shapes";
import { deletesCurrent, type PlannedChange } from "./plan";

/** The guards that the state has and the program doesn't state, although a value that isn't known yet counts as stated. */
export function droppedGuards(
  state: Omit<PreviewedWanted, "groups">,
  wanted: Omit<PreviewedWanted, "groups">,
): string[] {
  const dropped: string[] = [];
  if (state.removed === "retain" && wanted.removed == null) dropped.push('removed: "retain"');
  if (typeof state.deletionLimit === "number" && wanted.deletionLimit == null)
    dropped.push(`deletionLimit: ${state.deletionLimit}`);
  if (state.overlap === true && wanted.overlap == null) dropped.push("overlap: true");
  return dropped;
}

/** Only changes that are certain count, once for each customer. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange<object>[], wanted: PreviewedWanted): void {
  const { deletionLimit: limit } = wanted;
  if (typeof limit !== "number") return;
  const deleted = plan.filter((change) => !change.isUncertain && deletesCurrent(change, wanted));
  const isLeaving = deleted.some(({ is }) => is === "leave");
  if (deleted.length > limit)
    throw aboveDeletionLimit(deleted, limit, isLeaving ? "limit-of-departure" : "limit-of-change");
}

/**
 * diff, of a `UserGroups`: the groups that leave, or may leave because a value isn't known yet, if another resource declares their customers.
 * Errors: removed-elsewhere, mapping-conflict.
 */
export function refuseMoves(
  leaving: readonly Pick<Extract<PlannedChange<object>, { readonly is: "leave" }>, "from" | "how">[],
  from: Resource,
  facts: Facts,
  changes: Settings["changes"],
): void {
  const refused = leaving.flatMap(({ from: stored, how }): RefusedMove[] => {
    const { userGroupId } = stored;
    const declaration = facts.declarationOf(userGroupId);
    if (!declaration || declaration.resource === from) return [];
    const { resource: by } = declaration;
    const hasGroup = facts.of(userGroupId).some(({ resource }) => resource === by);
    const code = refusalOf({ how, stored, declaration, hasGroup }, changes);
    return code ? [{ code, userGroupId, from, by }] : [];
  });
  const [error] = moveErrors(refused);
  if (error) throw error;
}

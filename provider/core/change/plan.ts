/** The planned changes of the groups of one resource. diff shows them, a preview announces them, create and update apply them. */
import type { Settings } from "../../settings/readSettings";
import { isUnknown } from "../../values";
import {
  asShown,
  changedFields,
  keeperFields,
  replacingFields,
  stateFields,
  type FormerGroup,
  type Group,
  type StoredGroup,
} from "../state/group";
import { endsFormer, formerWith, hoursOf, isExpired } from "../rotation/overlap";
import type { PreviewedWanted } from "../state/shapes";

/**
 * `To`: the program's values; in a preview some may be unknown. How a group changes by a request: it is deleted, then created again
 * (recreate); another group is created beside it, and it becomes a former one (renew, with `overlap`); it gets other values (update, with
 * `changes: update`); or a request ends a doubt (settle). `because`: the fields that differ.
 */
export type Change<To extends object = Group> =
  | { readonly is: "create"; readonly to: To }
  | { readonly is: "leave"; readonly from: StoredGroup; readonly how: "delete" | "retain" }
  | RequestedChange<To>
  /** No request: the state takes over the program's values. */
  | { readonly is: "record"; readonly from: StoredGroup; readonly to: To };

export interface RequestedChange<To extends object = Group> {
  readonly is: "request";
  readonly how: "recreate" | "renew" | "update" | "settle";
  readonly from: StoredGroup;
  readonly to: To;
  readonly because: readonly string[];
}

export type PlannedChange<To extends object = Group> = Change<To> & {
  readonly userGroupId: string;
  /** The former groups that the change deletes: their time is over, or the program ends it. */
  readonly expired: readonly FormerGroup[];
  /** Whether it depends on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
};

/** Wanted groups by `userGroupId`, and their resource's arguments. `now`: milliseconds since 1970. */
export interface PlanRequest<To extends object> {
  readonly wanted: Omit<PreviewedWanted, "groups"> & { readonly groups: ReadonlyMap<string, To> };
  readonly changes: Settings["changes"];
  readonly now: number;
}

export function planChanges<To extends object>(
  before: ReadonlyMap<string, StoredGroup>,
  request: PlanRequest<To>,
): PlannedChange<To>[] {
  const { groups, removed } = request.wanted;
  const leaving = [...before.values()]
    .filter(({ userGroupId }) => !groups.has(userGroupId))
    .map((from) => planLeaving<To>(from, removed, request.now));
  const declared = [...groups].map(([userGroupId, to]): PlannedChange<To> => {
    const from = before.get(userGroupId);
    if (from) return planStaying(from, to, request);
    return { is: "create", userGroupId, to, expired: [], isUncertain: false };
  });
  return [...leaving, ...declared];
}

/** removed: "retain" keeps all groups of the customer in the service, except former ones whose time is over. */
function planLeaving<To extends object>(from: StoredGroup, removed: unknown, now: number): PlannedChange<To> {
  const { userGroupId, former = [] } = from;
  if (removed !== "retain")
    return { is: "leave", how: "delete", userGroupId, from, expired: [], isUncertain: isUnknown(removed) };
  const expired = former.filter((each) => isExpired(each, now));
  return { is: "leave", how: "retain", userGroupId, from, expired, isUncertain: false };
}

/** With another ID in the service, also a group without `overlap` is renewed: back to the plain ID. */
function planStaying<To extends object>(
  from: StoredGroup,
  to: To,
  { wanted, changes, now }: PlanRequest<To>,
): PlannedChange<To> {
  const rewritten = changesIn(replacingFields, from, to);
  const keepers = changesIn(keeperFields, from, to);
  const renewing = changes === "replace" ? [...rewritten, ...keepers] : keepers;
  const isBeside = wanted.overlap === true || from.providedId !== from.userGroupId;
  let change: Change<To> = { is: "record", from, to };
  if (renewing.length > 0)
    change = { is: "request", how: isBeside ? "renew" : "recreate", from, to, because: renewing };
  else if (rewritten.length > 0) change = { is: "request", how: "update", from, to, because: rewritten };
  else if (from.doubt) change = { is: "request", how: "settle", from, to, because: [] };
  const revived = revivedBy(change);
  const isEnded = (each: FormerGroup) => endsFormer(wanted, to) || isExpired(each, now);
  return {
    ...change,
    userGroupId: from.userGroupId,
    expired: (from.former ?? []).filter((each) => each !== revived && isEnded(each)),
    isUncertain: [to, wanted.overlap, wanted.overlapHours].some(isUnknown),
  };
}

/** The changed fields among these. What an import didn't know isn't a change. */
function changesIn(fields: readonly string[], from: StoredGroup, to: object): string[] {
  const notImported: readonly string[] = from.notImported ?? [];
  return changedFields(fields, asShown(from), to).filter((field) => !notImported.includes(field));
}

/** The fields whose values differ from the state's, with those that the program states and an import didn't know. */
export function fieldsOf(change: Extract<Change<object>, { readonly is: "request" | "record" }>): string[] {
  const { is, from, to } = change;
  const claimed = (from.notImported ?? []).filter((field) => Reflect.get(to, field) !== undefined);
  // What a request would be needed for is equal where there is none.
  const changed = is === "request" ? changesIn([...replacingFields, ...keeperFields], from, to) : [];
  return [...changed, ...claimed, ...changedFields(stateFields, from, to)];
}

/** The former group that has the program's values, and becomes the current one again. */
export function revivedBy(change: Change<object>): FormerGroup | undefined {
  if (change.is !== "request" || change.how !== "renew") return undefined;
  return formerWith(change.from, change.to);
}

/** The former groups that stay after the change, beside one that it adds. */
export function stillValid(change: PlannedChange<object>): readonly FormerGroup[] {
  if (change.is === "create" || change.is === "leave") return [];
  const revived = revivedBy(change);
  return (change.from.former ?? []).filter((each) => each !== revived && !change.expired.includes(each));
}

/** Whether the change takes over the program's values of fields that an import didn't know, or that there are none. */
export function isClaim(change: Change<object>): boolean {
  return change.is === "record" && change.from.notImported !== undefined;
}

/** Whether nothing changes, not even in the state. */
export function changesNothing(change: PlannedChange<object>): boolean {
  if (change.is !== "record" || change.expired.length > 0) return false;
  const { drift, notImported } = change.from;
  return drift === undefined && notImported === undefined && fieldsOf(change).length === 0;
}

/** Whether the change sends a request, if only to delete former groups. */
export function sendsRequest({ is, expired }: PlannedChange<object>): boolean {
  return is !== "record" || expired.length > 0;
}

/** Whether the customer's current group is deleted: at once, or with the next `up`. */
export function deletesCurrent(change: PlannedChange<object>, wanted: PreviewedWanted): boolean {
  if (change.is === "leave") return change.how === "delete";
  if (change.is !== "request") return false;
  return change.how === "recreate" || (change.how === "renew" && hoursOf(wanted, change.to) === 0);
}

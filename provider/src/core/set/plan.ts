/** The planned changes of the groups of one resource. diff shows them, a preview announces them, create and update apply them. */
import type { GroupName } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { isUnknown, propertiesOf } from "../../values";
import { aboveDeletionLimit, limitRemedies } from "../messages/groupErrors";
import { changeOf, type Action } from "../state/changes";
import { formerWith, isOver, overlapOf } from "../state/formerGroups";
import type { PlannedArguments } from "../state/shapes";
import type { FormerGroup, StoredGroup, StoredGroups } from "../state/storedGroup";

export interface PlannedChange {
  readonly userGroupId: string;
  readonly action: Action;
  /** The fields that differ, if the group exists and stays. */
  readonly fields: readonly string[];
  /** The fields of which a change gives the group a new token. */
  readonly replaces: readonly string[];
  /** Whether the action depends on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
  /** The former groups whose time is over, or whose customer leaves, so that they are deleted. */
  readonly over: readonly FormerGroup[];
  /** Former groups that stay. */
  readonly waiting: readonly FormerGroup[];
  /** renew: the former group that has the program's values becomes the current one again. */
  readonly isRevival: boolean;
}

/** The arguments that a plan depends on, with the groups: userGroupId → values, some of which may be unknown. */
export interface PlannedGroups extends PlannedArguments {
  readonly groups: ReadonlyMap<string, unknown>;
}

export interface PlanContext {
  readonly changes: Settings["changes"];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function planChanges(
  olds: StoredGroups,
  wanted: PlannedGroups,
  context: PlanContext,
): PlannedChange[] {
  const leaving = [...olds.values()].filter(({ userGroupId }) => !wanted.groups.has(userGroupId));
  const declared = [...wanted.groups].map(([userGroupId, values]) => {
    const old = olds.get(userGroupId);
    return old ? planStaying(old, values, wanted, context) : planned(userGroupId, "create");
  });
  return [...leaving.map((stored) => planLeaving(stored, wanted.removed)), ...declared];
}

/** The plan of a change of the service: create all groups in the new one, then delete or release all in the old one. */
export function planMove(olds: StoredGroups, wanted: PlannedGroups): PlannedChange[] {
  const isUncertain = isUnknown(wanted.connection) || isUnknown(wanted.removed);
  const created = [...wanted.groups.keys()].map((userGroupId) => planned(userGroupId, "create"));
  const left = [...olds.values()].map((stored) => planLeaving(stored, wanted.removed));
  return [...created, ...left].map((change) => {
    const isInBoth = wanted.groups.has(change.userGroupId) && olds.has(change.userGroupId);
    return { ...change, isUncertain, replaces: isInBoth ? ["connection"] : [] };
  });
}

/** removed: "retain" keeps the current group only. */
function planLeaving({ userGroupId, former = [] }: StoredGroup, removed: unknown): PlannedChange {
  if (removed === "retain") return { ...planned(userGroupId, "release"), over: former };
  return { ...planned(userGroupId, "delete"), isUncertain: isUnknown(removed) };
}

function planStaying(
  old: StoredGroup,
  values: unknown,
  wanted: PlannedGroups,
  { changes, now }: PlanContext,
): PlannedChange {
  const { userGroupId } = old;
  const given = propertiesOf(values);
  const change = changeOf(old, given, changes);
  const action = actionFor(old, change, wanted.overlap === true);
  const revived = action === "renew" ? formerWith(old, given) : undefined;
  const former = (old.former ?? []).filter((each) => each !== revived);
  const overlap = overlapOf(wanted, now);
  return {
    ...planned(userGroupId, action),
    fields: change.fields,
    replaces: change.replaces,
    isUncertain: isUnknown(values) || isUnknown(wanted.overlap) || isUnknown(wanted.overlapHours),
    over: former.filter((each) => isOver(each, overlap)),
    waiting: former.filter((each) => !isOver(each, overlap)),
    isRevival: revived !== undefined,
  };
}

/** With another ID in the service, also a group without `overlap` is renewed: back to the plain ID. */
function actionFor(old: StoredGroup, change: ReturnType<typeof changeOf>, overlaps: boolean): Action {
  const { fields, updates, replaces, isDriftTakenOver } = change;
  if (replaces.length > 0) return overlaps || old.providedId !== old.userGroupId ? "renew" : "recreate";
  if (updates.length > 0) return "update";
  if (old.doubt) return "settle";
  return fields.length > 0 || isDriftTakenOver ? "change state" : "keep";
}

export function planned(userGroupId: string, action: Action): PlannedChange {
  return {
    userGroupId,
    action,
    fields: [],
    replaces: [],
    isUncertain: false,
    over: [],
    waiting: [],
    isRevival: false,
  };
}

/** Whether the change does anything, to the service or to the state. */
export function isEffective({ action, over }: PlannedChange): boolean {
  return action !== "keep" || over.length > 0;
}

export function isStateOnly({ action }: PlannedChange): boolean {
  return action === "keep" || action === "change state";
}

/** Whether the change sends a request. */
export function isRequest(change: PlannedChange): boolean {
  return change.over.length > 0 || !isStateOnly(change);
}

export function isLeaving({ action }: PlannedChange): boolean {
  return action === "delete" || action === "move" || action === "release";
}

/** These changes take a token from a customer. */
export const deletingActions: ReadonlySet<Action> = new Set(["delete", "recreate", "renew"]);

/** Counts only changes that are certain, once for each customer. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange[], limit: unknown): void {
  const deleted = plan.filter(({ action, isUncertain }) => deletingActions.has(action) && !isUncertain);
  assertWithinLimit(deleted, limit, limitRemedies.change);
}

export function assertWithinLimit(deleted: readonly GroupName[], limit: unknown, remedy: string): void {
  if (typeof limit === "number" && deleted.length > limit) throw aboveDeletionLimit(deleted, limit, remedy);
}

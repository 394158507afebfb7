/** The planned changes of the groups of one resource. diff shows them, a preview announces them, create and update apply them. */
import { firstFew, UserGroupError, type GroupName } from "../errors";
import type { Settings } from "../settings/readSettings";
import { isUnknown, propertiesOf } from "../values";
import { changeOf } from "./changes";
import { keyOf, type Claims } from "./claims";
import type { StoredGroup, StoredGroups } from "./drift";
import type { Logger } from "./deployment";
import * as warnings from "./previewWarnings";

/**
 * overlap: a new group is created beside the former one. release: the group leaves the state only. settle: a request shows
 * whether an earlier one was applied. change state: fields change that only the state has.
 */
export type Action =
  "create" | "delete" | "release" | "recreate" | "overlap" | "update" | "settle" | "change state" | "keep";

export interface PlannedChange {
  readonly userGroupId: string;
  readonly action: Action;
  /** The fields that differ, if the group exists and stays. */
  readonly fields: readonly string[];
  /** The fields of which a change gives the group a new token. */
  readonly replaces: readonly string[];
  /** Whether the action depends on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
  /** Whether the former group, which an earlier change with `overlap` has kept, is deleted. */
  readonly dropsFormer: boolean;
}

/** The arguments that a plan depends on; each may be unknown in a preview. */
export interface WantedGroups {
  /** userGroupId → values. */
  readonly groups: ReadonlyMap<string, unknown>;
  readonly removed?: unknown;
  readonly overlap?: unknown;
  readonly connection?: unknown;
}

export interface PlanContext {
  readonly changes: Settings["changes"];
  readonly claims: Claims;
  /** The connection of the state. */
  readonly connection: string | undefined;
}

export function planChanges(olds: StoredGroups, wanted: WantedGroups, context: PlanContext): PlannedChange[] {
  const leaving = [...olds.values()].filter(({ userGroupId }) => !wanted.groups.has(userGroupId));
  const declared = [...wanted.groups].map(([userGroupId, values]) => {
    const old = olds.get(userGroupId);
    return old ? planStaying(old, values, wanted, context) : planned(userGroupId, "create");
  });
  return [...leaving.map((stored) => planLeaving(stored, wanted.removed)), ...declared];
}

/** The plan of a change of the service: create all groups in the new one, then delete or release all in the old one. */
export function planMove(olds: StoredGroups, removed: unknown, wanted: WantedGroups): PlannedChange[] {
  const isUncertain = isUnknown(wanted.connection);
  const created = [...wanted.groups.keys()].map((userGroupId) => planned(userGroupId, "create"));
  const left = [...olds.values()].map((stored) => planLeaving(stored, removed));
  return [...created, ...left].map((change) => ({ ...change, isUncertain }));
}

function planLeaving(stored: StoredGroup, removed: unknown): PlannedChange {
  const action = removed === "retain" ? "release" : "delete";
  return { ...planned(stored.userGroupId, action), isUncertain: isUnknown(removed) };
}

function planStaying(
  old: StoredGroup,
  values: unknown,
  { overlap }: WantedGroups,
  { changes, claims, connection }: PlanContext,
): PlannedChange {
  const change = changeOf(old, propertiesOf(values), changes);
  // Another resource has deleted the group in this deployment, before this one was declared.
  const isGone = claims.isDeleted(keyOf(connection, old.providedId), old.token);
  const replaces = [...change.replaces, ...(isGone ? ["token"] : [])];
  return {
    ...planned(
      old.userGroupId,
      actionFor(old, change, { replaces, isOverlapping: overlap === true && !isGone }),
    ),
    fields: change.fields,
    replaces,
    isUncertain: isUnknown(values) || isUnknown(overlap),
    dropsFormer: old.former !== undefined,
  };
}

function actionFor(
  old: StoredGroup,
  { fields, updates, isDriftTakenOver }: ReturnType<typeof changeOf>,
  { replaces, isOverlapping }: { readonly replaces: readonly string[]; readonly isOverlapping: boolean },
): Action {
  if (replaces.length > 0) return isOverlapping ? "overlap" : "recreate";
  if (updates.length > 0) return "update";
  if (old.lastChange === "unknown") return "settle";
  const isChanged = fields.length > 0 || isDriftTakenOver || old.lastChange !== undefined;
  return isChanged ? "change state" : "keep";
}

function planned(userGroupId: string, action: Action): PlannedChange {
  return { userGroupId, action, fields: [], replaces: [], isUncertain: false, dropsFormer: false };
}

/** Whether the change does anything, to the service or to the state. */
export function isEffective({ action, dropsFormer }: PlannedChange): boolean {
  return action !== "keep" || dropsFormer;
}

/** Whether the change sends a request. */
export function isRequest({ action, dropsFormer }: PlannedChange): boolean {
  return dropsFormer || (action !== "keep" && action !== "change state");
}

/** These changes take a token from a customer. */
const deletingActions: ReadonlySet<Action> = new Set(["delete", "recreate", "overlap"]);

/** Counts only deletions that are certain. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange[], limit: unknown): void {
  const deleted = plan.filter(({ action, isUncertain }) => deletingActions.has(action) && !isUncertain);
  assertWithinLimit(deleted, limit, "Nothing was changed. If you intend the change, raise deletionLimit.");
}

export function assertWithinLimit(deleted: readonly GroupName[], limit: unknown, remedy: string): void {
  if (typeof limit !== "number" || deleted.length <= limit) return;
  throw new UserGroupError(
    "deletion-limit",
    `This change would delete ${deleted.length} user groups (${firstFew(deleted)}), or replace their tokens, but ` +
      `deletionLimit is ${limit}. ${remedy}`,
  );
}

/** Logs one line with the planned changes of many groups, because the engine shows one resource only. */
export function announceMany(plan: readonly PlannedChange[], logger: Logger): void {
  const parts = [false, true].flatMap((isUncertain) =>
    announcedChanges.flatMap(({ words, isOf }) => {
      const changes = plan.filter((change) => isOf(change) && change.isUncertain === isUncertain);
      const possibly = isUncertain ? "possibly " : "";
      return changes.length > 0 ? [`${possibly}${changes.length} to ${words} (${firstFew(changes)})`] : [];
    }),
  );
  if (parts.length === 0) return;
  const isDeletion = plan.some(({ action, dropsFormer }) => deletingActions.has(action) || dropsFormer);
  if (isDeletion) logger.warn(warnings.plannedChanges(parts));
  else logger.info(warnings.plannedChangesText(parts));
}

const of = (action: Action) => (change: PlannedChange) => change.action === action;

const announcedChanges = [
  { words: "create", isOf: of("create") },
  { words: "delete", isOf: of("delete") },
  { words: "delete and create again with a new token", isOf: of("recreate") },
  { words: "get a new token, while their former groups stay until the next up", isOf: of("overlap") },
  {
    words: "lose the former group that the last change has kept",
    isOf: ({ dropsFormer }: PlannedChange) => dropsFormer,
  },
  { words: "update", isOf: of("update") },
  { words: "settle by a request, because an earlier one had no response", isOf: of("settle") },
  { words: "remove from the state only", isOf: of("release") },
];

/** Warns of a new token and of a deleted former group. The preview shows all other changes of one group by itself. */
export function announceOne(change: PlannedChange, unknown: readonly string[], logger: Logger): void {
  const { action, replaces, dropsFormer } = change;
  if (dropsFormer) logger.warn(warnings.formerGroupDeleted(change));
  if (action === "settle") logger.warn(warnings.toBeSettled(change));
  const isOverlap = action === "overlap";
  if (isOverlap || action === "recreate")
    logger.warn(warnings.newToken(change, { changed: replaces, unknown, isOverlap }));
}

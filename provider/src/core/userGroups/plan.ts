/** The planned changes of `groups`. diff announces them, create and update apply them. */
import { firstFew, UserGroupError, type GroupName } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { isObject, isUnknown, propertiesOf } from "../../values";
import { changeOf } from "../changes";
import { isDeleted } from "../deployment/decisions";
import type { DeploymentFacts } from "../deployment/facts";
import type { RecordedGroups } from "../group/recordedGroup";
import type { Logger } from "../lifecycle";

/** `release`: the group leaves the state only. `change state`: fields change that only the state has. */
export type Action = "create" | "delete" | "release" | "recreate" | "update" | "change state" | "keep";

export interface PlannedChange {
  readonly userGroupId: string;
  readonly action: Action;
  /** The fields that differ, if the group exists and stays. */
  readonly fields: readonly string[];
  /** Whether the action depends on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
}

/** Arguments, which may be unknown. */
type Wanted = Readonly<Partial<Record<"groups" | "removed" | "connection", unknown>>>;

export function planChanges(
  olds: RecordedGroups,
  { groups, removed }: Wanted,
  changes: Settings["changes"],
  facts: DeploymentFacts,
): PlannedChange[] {
  const wanted = new Map(Object.entries(isObject(groups) ? groups : {}));
  const left = {
    action: removed === "retain" ? "release" : "delete",
    fields: [],
    isUncertain: isUnknown(removed),
  } as const;
  const leaving = [...olds.keys()].filter((userGroupId) => !wanted.has(userGroupId));
  const declared = [...wanted].map(([userGroupId, group]): PlannedChange => {
    const old = olds.get(userGroupId);
    if (!old) return { userGroupId, action: "create", fields: [], isUncertain: false };
    const { fields, replaces, isUpdate, isDriftTakenOver } = changeOf(old, propertiesOf(group), changes);
    // Another resource may have deleted the group in this deployment.
    const isRecreated = replaces.length > 0 || isDeleted(facts, old.token);
    const isKept = fields.length === 0 && !isDriftTakenOver;
    const action = isRecreated ? "recreate" : isUpdate ? "update" : isKept ? "keep" : "change state";
    return { userGroupId, action, fields, isUncertain: isUnknown(group) };
  });
  return [...leaving.map((userGroupId) => ({ userGroupId, ...left })), ...declared];
}

/** The plan of a change of the service: create all groups in the new one, then delete or drop all in the old one. */
export function planMove(olds: RecordedGroups, removed: unknown, wanted: Wanted, facts: DeploymentFacts) {
  const isUncertain = isUnknown(wanted.connection);
  const created = planChanges(new Map(), wanted, "replace", facts);
  const left = planChanges(olds, { removed }, "replace", facts);
  return [...created, ...left].map((change) => ({ ...change, isUncertain }));
}

const deletingActions: ReadonlySet<Action> = new Set(["delete", "recreate"]);

/** Counts only deletions that are certain. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange[], limit: unknown): void {
  const deleted = plan.filter(({ action, isUncertain }) => deletingActions.has(action) && !isUncertain);
  assertWithinLimit(deleted, limit, "If you intend the change, raise deletionLimit.");
}

export function assertWithinLimit(deleted: readonly GroupName[], limit: unknown, remedy: string): void {
  if (typeof limit !== "number" || deleted.length <= limit) return;
  throw new UserGroupError(
    "deletion-limit",
    `This change would delete ${deleted.length} user groups (${firstFew(deleted)}), recreated ones included, but ` +
      `deletionLimit is ${limit}. Nothing was changed. ${remedy}`,
  );
}

/** Logs one line with the planned changes by group, because the engine shows one resource only. */
export function announce(plan: readonly PlannedChange[], logger: Logger): void {
  const parts = [false, true].flatMap((isUncertain) =>
    announcedActions.flatMap(([action, words]) => {
      const planned = plan.filter((change) => change.action === action && change.isUncertain === isUncertain);
      return planned.length > 0
        ? [`${isUncertain ? "possibly " : ""}${planned.length} to ${words} (${firstFew(planned)})`]
        : [];
    }),
  );
  if (parts.length === 0) return;
  const line = `user groups in this change: ${parts.join(", ")}.`;
  if (plan.some(({ action }) => deletingActions.has(action))) logger.warn(line);
  else logger.info(line);
}

const announcedActions = [
  ["create", "create"],
  ["delete", "delete"],
  ["recreate", "delete and create again with a new token"],
  ["update", "update"],
  ["release", "remove from the state only"],
] as const satisfies (readonly [Action, string])[];

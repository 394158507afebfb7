/** The planned changes of `groups`. diff announces them, create and update apply them. */
import { firstFew, UserGroupError } from "../errors";
import type { Settings } from "../settings/readSettings";
import { isObject, isUnknown, propertiesOf, type JsonObject } from "../values";
import { changedFields, keeperFields, replacingFields } from "./changes";
import type { Logger } from "./lifecycle";

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

export interface PlanRules {
  readonly changes: Settings["changes"];
  /** The argument `removed`, which may be unknown. */
  readonly removed: unknown;
}

/** One planned change for each group. `news` may hold unknown values. */
export function planChanges(olds: unknown, news: unknown, rules: PlanRules): PlannedChange[] {
  const [old, wanted] = [groupsIn(olds), groupsIn(news)];
  const removed: PlannedChange[] = [...old.keys()]
    .filter((userGroupId) => !wanted.has(userGroupId))
    .map((userGroupId) => ({
      userGroupId,
      action: rules.removed === "retain" ? "release" : "delete",
      fields: [],
      isUncertain: isUnknown(rules.removed),
    }));
  const declared = [...wanted].map(([userGroupId, group]): PlannedChange => {
    const before = old.get(userGroupId);
    if (before === undefined) return { userGroupId, action: "create", fields: [], isUncertain: false };
    return {
      userGroupId,
      ...changeOf(propertiesOf(before), propertiesOf(group), rules),
      isUncertain: isUnknown(group),
    };
  });
  return [...removed, ...declared];
}

function changeOf(
  old: JsonObject,
  wanted: JsonObject,
  { changes }: PlanRules,
): Pick<PlannedChange, "action" | "fields"> {
  const rewritten = changedFields(replacingFields, old, wanted);
  const others = changedFields([...keeperFields, "dataSourceProvidedId"], old, wanted);
  const fields = [...rewritten, ...others];
  const isRecreated = others.includes("keepers") || (changes === "replace" && rewritten.length > 0);
  if (isRecreated) return { action: "recreate", fields };
  if (rewritten.length > 0) return { action: "update", fields };
  return { action: fields.length > 0 ? "change state" : "keep", fields };
}

/** The plan of a change of the service: create all groups in the new one, then delete all in the old one. */
export function planMove(olds: unknown, news: unknown, connection: unknown): PlannedChange[] {
  const rules: PlanRules = { changes: "replace", removed: "delete" };
  const isUncertain = isUnknown(connection);
  return [...planChanges({}, news, rules), ...planChanges(olds, {}, rules)].map((change) => ({
    ...change,
    isUncertain,
  }));
}

/** Actions that delete the group in the service, or recreate it with a new token. */
const deletingActions: ReadonlySet<Action> = new Set(["delete", "recreate"]);

/** Counts only deletions that are certain. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange[], limit: unknown): void {
  const deleted = plan.filter(({ action, isUncertain }) => deletingActions.has(action) && !isUncertain);
  if (typeof limit !== "number" || deleted.length <= limit) return;
  const ids = firstFew(deleted.map(({ userGroupId }) => userGroupId));
  throw new UserGroupError(
    "deletion-limit",
    `This change would delete ${deleted.length} user groups (${ids}), recreated ones included, but deletionLimit is ` +
      `${limit}. Nothing was changed. If you intend the change, raise deletionLimit.`,
  );
}

/** Logs one line with the planned changes by group, because the engine shows one resource only. */
export function announce(plan: readonly PlannedChange[], logger: Logger): void {
  const parts = [false, true].flatMap((isUncertain) =>
    announcedActions.flatMap(([action, words]) => {
      const planned = plan.filter((change) => change.action === action && change.isUncertain === isUncertain);
      const ids = firstFew(planned.map(({ userGroupId }) => userGroupId));
      return planned.length > 0
        ? [`${isUncertain ? "possibly " : ""}${planned.length} to ${words} (${ids})`]
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

function groupsIn(groups: unknown): Map<string, unknown> {
  return new Map(isObject(groups) ? Object.entries(groups) : []);
}

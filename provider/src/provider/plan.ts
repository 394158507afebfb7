/** What a change of `groups` does to each group: diff says it, update does it. */
import { firstFew, say, UserGroupError, warn } from "../errors";
import { given, isObject, isUnknown } from "../schema";
import type { Settings } from "../settings";
import { changedFields, recordFields, replacingFields } from "./changes";

/** What becomes of a group, in words that follow "to". */
export type Fate =
  | "create"
  | "delete"
  | "forget"
  | "delete and create again with another token"
  | "update"
  | "record"
  | "keep";

export interface Step {
  readonly userGroupId: string;
  readonly fate: Fate;
  /** The fields that call for it; empty unless the group was there and stays. */
  readonly fields: readonly string[];
  /** Whether it rests on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
}

export interface Rules {
  readonly changes: Settings["changes"];
  /** The argument `removed`, which may not be known yet. */
  readonly removed: unknown;
}

/** One step a group, from what is recorded to what is wanted, which may hold values that aren't known yet. */
export function planSteps(olds: unknown, news: unknown, { changes, removed }: Rules): Step[] {
  const [old, wanted] = [asGroups(olds), asGroups(news)];
  const rewritten = changes === "replace" ? "delete and create again with another token" : "update";
  const stepFor = ([userGroupId, group]: [string, unknown]): Step => {
    const before = old.get(userGroupId);
    if (before === undefined) return { userGroupId, fate: "create", fields: [], isUncertain: false };
    const [held, asked] = [given(before), isObject(group) ? given(group) : {}];
    const fields = changedFields(replacingFields, held, asked);
    const isRecorded = changedFields(recordFields, held, asked).length > 0;
    const fate = fields.length > 0 ? rewritten : isRecorded ? "record" : "keep";
    return { userGroupId, fate, fields, isUncertain: isUnknown(group) };
  };
  const leaving = [...old.keys()].filter((userGroupId) => !wanted.has(userGroupId));
  const leave = {
    fate: removed === "retain" ? "forget" : "delete",
    isUncertain: isUnknown(removed),
  } as const;
  return [
    ...leaving.map((userGroupId): Step => ({ userGroupId, fields: [], ...leave })),
    ...[...wanted].map(stepFor),
  ];
}

/** Those with which a group stays with its record, token and all. */
export const keepingFates = ["keep", "record", "update"] as const satisfies Fate[];

/** The groups that surely meet one of these fates. */
export function idsWith(fates: readonly Fate[], steps: readonly Step[]): string[] {
  const fitting = steps.filter(({ fate, isUncertain }) => fates.includes(fate) && !isUncertain);
  return fitting.map(({ userGroupId }) => userGroupId);
}

/** The steps of a change of the service: all are created in the new one, and then deleted in the old one. */
export function planMove(olds: unknown, news: unknown, connection: unknown): Step[] {
  const rules: Rules = { changes: "replace", removed: "delete" };
  const isUncertain = isUnknown(connection);
  return [...planSteps({}, news, rules), ...planSteps(olds, {}, rules)].map((step) => ({
    ...step,
    isUncertain,
  }));
}

/** Refuses a change that surely deletes more groups than it may. Error: deletion-limit. */
export function enforceDeletionLimit(steps: readonly Step[], limit: unknown): void {
  const deleted = steps.filter(({ fate, isUncertain }) => fate.startsWith("delete") && !isUncertain);
  if (typeof limit !== "number" || deleted.length <= limit) return;
  const ids = firstFew(deleted.map(({ userGroupId }) => userGroupId));
  throw new UserGroupError(
    "deletion-limit",
    `This change would delete ${deleted.length} user groups (${ids}), with or without creating them again, and ` +
      `deletionLimit is ${limit}. Nothing was done. If it is meant, raise deletionLimit for this change.`,
  );
}

/** Says in one line what the engine, which sees one resource, can't show. */
export function forecast(steps: readonly Step[]): void {
  const parts = [false, true].flatMap((isUncertain) =>
    forecastFates.flatMap((fate) => {
      const fitting = steps.filter((step) => step.fate === fate && step.isUncertain === isUncertain);
      const ids = firstFew(fitting.map(({ userGroupId }) => userGroupId));
      return fitting.length === 0
        ? []
        : [`${isUncertain ? "perhaps " : ""}${fitting.length} to ${fate} (${ids})`];
    }),
  );
  const tell = steps.some(({ fate }) => fate.startsWith("delete")) ? warn : say;
  if (parts.length > 0) tell(`user groups in this change: ${parts.join(", ")}.`);
}

/** All that the engine doesn't show by itself. */
const forecastFates = [
  "create",
  "delete",
  "delete and create again with another token",
  "update",
  "forget",
] as const satisfies Fate[];

function asGroups(groups: unknown): Map<string, unknown> {
  return new Map(isObject(groups) ? Object.entries(groups) : []);
}

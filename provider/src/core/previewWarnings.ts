/** The warnings of previews and of options, with their codes. Those of requests are in messages.ts. */
import { nameOf, namesOf, type ErrorCode, type GroupName } from "../errors";
import type { Warning } from "./messages";

/** The code of every warning of a preview or an option. */
export const previewWarnings = [
  "former-group-deleted",
  "groups-not-known",
  "ignored-changes-applied",
  "new-token",
  "planned-changes",
  "possible-new-token",
  "removed-elsewhere",
  "replaced-by-option",
  "retained",
  "to-be-settled",
] as const;

export type PreviewWarning = (typeof previewWarnings)[number];

/** A warning as it is printed: it ends with its code. An error that can only be printed as a warning keeps its code. */
export type WarningLine = `${string} [${Warning | PreviewWarning | ErrorCode}]`;

function withCode(code: PreviewWarning, text: string): WarningLine {
  return `${text} [${code}]`;
}

/** For `changed`, the fields of which a change gives the group a new token. */
export interface NewToken {
  readonly changed: readonly string[];
  /** The fields whose values aren't known yet. */
  readonly unknown: readonly string[];
  readonly isOverlap: boolean;
}

export function newToken(group: GroupName, { changed, unknown, isOverlap }: NewToken): WarningLine {
  const name = nameOf(group);
  const former = isOverlap ? " Its former group stays until the next up." : "";
  const effect = isOverlap ? "gets a new token" : "is deleted and created again, and gets a new token";
  const known = changed.filter((field) => !unknown.includes(field));
  if (known.length > 0)
    return withCode("new-token", `${name} ${effect}, because ${reasonFor(known)}.${former}`);
  const possibly = isOverlap
    ? "possibly gets a new token"
    : "is possibly deleted and created again with a new token";
  return withCode(
    "possible-new-token",
    `${name} ${possibly}, because a value of its ${unknown.join(" and ")} isn't known yet: it depends on another resource of this ` +
      `update.${former}`,
  );
}

function reasonFor(fields: readonly string[]): string {
  if (fields.includes("token")) return "another resource has deleted it in this update";
  const isPlural = fields.length > 1 || fields.some((field) => field.endsWith("s"));
  return `its ${fields.join(" and ")} ${isPlural ? "change" : "changes"}`;
}

export function formerGroupDeleted(group: GroupName): WarningLine {
  return withCode(
    "former-group-deleted",
    `${nameOf(group)}: its former group is deleted, which the last change has kept.`,
  );
}

export function toBeSettled(group: GroupName): WarningLine {
  return withCode(
    "to-be-settled",
    `${nameOf(group)} is settled by a request, because an earlier request had no response.`,
  );
}

/** `changes`: such as `2 to create ("a", "b")`. */
export function plannedChanges(changes: readonly string[]): WarningLine {
  return withCode("planned-changes", plannedChangesText(changes));
}

/** The same for a change that takes no token from a customer, which is no warning. */
export function plannedChangesText(changes: readonly string[]): string {
  return `user groups in this change: ${changes.join(", ")}.`;
}

export function groupsNotKnown(): WarningLine {
  return withCode(
    "groups-not-known",
    "user groups in this change: groups isn't known yet, because it depends on another resource of this update. So it isn't known " +
      "which of them are created or deleted, and deletionLimit is checked in the update.",
  );
}

/** An update of a `UserGroups` deletes removed groups at once. The engine deletes removed resources at the end. */
export function removedElsewhere(groups: readonly GroupName[]): WarningLine {
  return withCode(
    "removed-elsewhere",
    `${namesOf(groups)}: another resource of this program removes it in the same update. If the engine updates that one before this ` +
      "resource is declared, the group is deleted and gets a new token. To keep the token, let the other resource depend on this one " +
      `(option dependsOn), or set its removed to "retain".`,
  );
}

/** `more`: the number of further groups of the resource. */
export function replacedByOption(group: GroupName, more: number): WarningLine {
  const others = more > 0 ? ` and ${more} more` : "";
  return withCode(
    "replaced-by-option",
    `${nameOf(group)}${others}: an option replaces the resource, or an earlier update has deleted the group and failed to create it ` +
      "again. A group that exists keeps its token, but with the option deleteBeforeReplace it is deleted and created again, and gets a " +
      "new token.",
  );
}

export function retained(groups: readonly GroupName[]): WarningLine {
  return withCode(
    "retained",
    `${namesOf(groups)}: ${groups.length === 1 ? "it stays" : "they stay"} in the service without a resource, because the state has ` +
      'removed: "retain".',
  );
}

/** `group`: undefined for a resource of many. */
export function ignoredChangesApplied(group: GroupName | undefined, fields: readonly string[]): WarningLine {
  const name = group ? `${nameOf(group)}: ` : "";
  return withCode(
    "ignored-changes-applied",
    `${name}ignoreChanges has no effect on ${fields.join(" and ")} in a replacement.`,
  );
}

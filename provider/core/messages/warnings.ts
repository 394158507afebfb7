/** The warnings of the core, and the phrases of previews: which text of the catalogue says it, about which groups. */
import { firstFew, nameOf, namesOf, type GroupName } from "../../errors";
import type { Code, Texts, WarningCode } from "../../messages/catalogue";
import {
  fill,
  message,
  note,
  sentenceOf,
  sentences,
  textNames,
  textOf,
  type Message,
  type TextName,
} from "../../messages/message";

/** The texts of warnings about requests. They name one group, or several. */
export type Warning = {
  [Name in TextName]: Texts[Name] extends { readonly many: string } ? Name : never;
}[TextName];

export const warningNames = textNames.filter((name): name is Warning => textOf(name).many !== undefined);

/** A warning as it is printed: it ends with its code. An error that can only be printed as a warning keeps its code. */
export type WarningLine = `${string} [${Code}]`;

function lineOf(said: Message): WarningLine {
  return `${sentenceOf(said)} [${said.code}]`;
}

/** `user group "acme" existed before …. … [adopted]`, or `3 user groups existed before …: "a", "b", "c". … [adopted]`. */
export function warningOf(
  warning: Warning,
  groups: readonly GroupName[],
  fields: readonly string[] = [],
): WarningLine {
  const { code, cause, many = cause, remedy } = textOf(warning);
  const [first] = groups;
  const isOne = first !== undefined && groups.length === 1;
  const text = isOne
    ? `${nameOf(first)} ${cause}`
    : `${groups.length} user groups ${many}: ${firstFew(groups)}`;
  return lineOf({ code, cause: fill(text, { fields: listed(fields) }), remedy: remedy.join(" ") });
}

/** `name, mapping and properties` */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** diff: a state shows another API token than groups that were requested before it was seen. */
export function createdUnchecked(groups: readonly GroupName[]): WarningLine {
  return lineOf(message("created-unchecked", { groups: namesOf(groups) }));
}

export function exponentInId(groups: readonly GroupName[]): WarningLine {
  return lineOf(message("exponent-in-id", { groups: namesOf(groups) }));
}

/**
 * `changed`: the fields of which a change gives the group a new token. `unknown`: those whose values aren't known yet. `former`: what
 * becomes of the former group (`formerGroupText`); undefined: the group is deleted first. `stillValidUntil`: until when former groups of earlier
 * changes stay, ISO 8601 times.
 */
export function newToken(
  group: GroupName,
  {
    changed,
    unknown,
    former,
    stillValidUntil,
  }: Record<"changed" | "unknown" | "stillValidUntil", readonly string[]> & {
    readonly former: string | undefined;
  },
): WarningLine {
  const isOverlap = former !== undefined;
  const isBlank = former === undefined || former === formerGroupText(undefined);
  const remedy = sentences(
    isOverlap && `Its former group ${former}.${stillValidText(stillValidUntil)}`,
    isBlank && note("blank-until-delivery"),
  );
  const known = changed.filter((field) => !unknown.includes(field));
  const effects = isOverlap
    ? { certain: "gets a new token", possible: "possibly gets a new token" }
    : {
        certain: "is deleted and created again, and gets a new token",
        possible: "is possibly deleted and created again with a new token",
      };
  const name = nameOf(group);
  const said =
    known.length > 0
      ? message("new-token", { group: name, effect: effects.certain, reason: `its ${changeOf(known)}` })
      : message("possible-new-token", {
          group: name,
          effect: effects.possible,
          fields: unknown.join(" and "),
        });
  return lineOf({ ...said, remedy });
}

/** `stays for 24 hours`, `stays until the next up`, or without `overlap`, `is deleted in the same up`. */
export function formerGroupText(overlapHours: number | undefined, isPlural = false): string {
  if (overlapHours === undefined) return `${isPlural ? "are" : "is"} deleted in the same up`;
  const verb = isPlural ? "stay" : "stays";
  if (overlapHours === 0) return `${verb} until the next up`;
  return `${verb} for ${overlapHours} ${overlapHours === 1 ? "hour" : "hours"}`;
}

function stillValidText(times: readonly string[]): string {
  if (times.length === 0) return "";
  return ` ${times.length === 1 ? "That of an earlier change stays" : "Those of earlier changes stay"} until ${listed(times)}.`;
}

/** `name and mapping change` */
export function changeOf(fields: readonly string[]): string {
  const isPlural = fields.length > 1 || fields.some((field) => field.endsWith("s"));
  return `${listed(fields)} ${isPlural ? "change" : "changes"}`;
}

/** The program wants the values of a former group again. `former`: what becomes of the one that it has now. */
export function formerToken(group: GroupName, former: string): WarningLine {
  return lineOf(message("former-token", { group: nameOf(group), former }));
}

/** `count`: of former groups whose time is over. */
export function formerGroupDeleted(group: GroupName, count: number): WarningLine {
  const name = nameOf(group);
  return lineOf(
    count === 1
      ? message("former-group-deleted", { group: name })
      : message("former-groups-deleted", { group: name, count }),
  );
}

export function toBeSettled(group: GroupName): WarningLine {
  return lineOf(message("to-be-settled", { group: nameOf(group) }));
}

/**
 * Which fields give the groups a new token: `name and properties change`, or where not all change in the same ones,
 * `keepers (40) or name (5) change`.
 */
export function fieldReasons(
  changes: readonly { readonly is: string; readonly because?: readonly string[] }[],
): string {
  const fields = changes.flatMap(({ because = [] }) => because);
  const counts = [...new Set(fields)].map((field) => ({
    field,
    count: fields.filter((each) => each === field).length,
  }));
  counts.sort((one, other) => other.count - one.count);
  if (counts.every(({ count }) => count === changes.length))
    return changeOf(counts.map(({ field }) => field));
  return `${counts.map(({ field, count }) => `${field} (${count})`).join(" or ")} change`;
}

/** The groups of a new `UserGroups`. */
export function creationText(groups: readonly GroupName[], { adopt }: { readonly adopt?: unknown }): string {
  const names = firstFew(groups);
  if (adopt === false) return `${groups.length} to create, which fails for those that exist (${names})`;
  return `${groups.length} to create or adopt (${names})`;
}

/** `changes`: such as `2 to create ("a", "b")`. `isBlank`: some get new tokens after their groups were deleted. */
export function plannedChanges(changes: readonly string[], isBlank = false): WarningLine {
  const remedy = isBlank ? note("all-blank-until-delivery") : "";
  return lineOf({ ...message("planned-changes", { changes: changes.join(", ") }), remedy });
}

/** The same for a change that takes no token from a customer, which is no warning. */
export function plannedChangesText(changes: readonly string[]): string {
  return sentenceOf(message("planned-changes", { changes: changes.join(", ") }));
}

/** The identity in the state is another one. `subject`: as messages name the resource. */
export function renamedText(subject: string): string {
  return `${subject}: the resource has another name or parent than in the state. This alone changes the state only.`;
}

export function guardsNotKnown(): WarningLine {
  return lineOf(message("guards-not-known"));
}

export function groupsNotKnown(): WarningLine {
  return lineOf(message("groups-not-known"));
}

/** `group`: undefined for a resource of many. */
export function ignoredChangesApplied(group: GroupName | undefined, fields: readonly string[]): WarningLine {
  const name = group ? `${nameOf(group)}: ` : "";
  return lineOf(message("ignored-changes-applied", { group: name, fields: fields.join(" and ") }));
}

/** The codes of warnings that previews and options give. */
export type PreviewWarning = Exclude<WarningCode, Warning>;

/** Every warning of the core, with its code: first those about requests, then those of previews and options. Each names the group first. */
import { firstFew, nameOf, namesOf, type ErrorCode, type GroupName } from "../../errors";

/** `one` and `many` follow the name of one group, or the number of several; `rest` is true of both. */
interface WarningText {
  readonly one: string;
  readonly many: string;
  readonly rest: string;
  /** Default: the key of the text. */
  readonly code?: "adopted" | "retained";
}

const unverified =
  "A mapping can't be verified. To be sure of it, change keepers, which gives a group a new token.";

/** The order of delivery, as the pages say it. */
const order = "Deliver the state before and after each up, also a failed one.";

/** The texts of warnings about requests. `$fields`: the fields that differ. */
export const warnings = {
  adopted: {
    one: "existed before and is adopted with its token",
    many: "existed before and are adopted with their tokens",
    rest: unverified,
  },
  "adopted-by-derived-id": {
    code: "adopted",
    one: "existed before with the ID of the program's values, and is adopted with its token",
    many: "existed before with the IDs of the program's values, and are adopted with their tokens",
    rest: "The ID shows that the group was created with this mapping.",
  },
  "adopted-after-lost-response": {
    code: "adopted",
    one: "was possibly created by an attempt whose response was lost, so it counts as adopted",
    many: "were possibly created by attempts whose responses were lost, so they count as adopted",
    rest: `A group that existed before may have another mapping. ${unverified}`,
  },
  "adopted-with-other-values": {
    one: "differs in $fields from the program",
    many: "differ in $fields from the program",
    rest: "The state has the service's values. The next pulumi up applies those of the program, and its preview says whether that gives a new token.",
  },
  "claim-taken-over": {
    one: "was imported without its mapping or keepers, and takes over those of the program",
    many: "were imported without their mappings or keepers, and take over those of the program",
    rest:
      "No request was sent. A mapping that the import didn't have can't be verified. To be sure of it, change keepers, which gives a group " +
      "a new token.",
  },
  "created-again": {
    one: "didn't exist in the service, and was created again with a new token",
    many: "didn't exist in the service, and were created again with new tokens",
    rest: order,
  },
  "former-group-replaced": {
    one: "has another token than this former group of a change with overlap had, so it is another group now, and has left the state",
    many: "have other tokens than these former groups of changes with overlap had, so they are other groups now, and have left the state",
    rest: "Nothing was deleted.",
  },
  kept: {
    one: "is kept with its token, because another resource of this program has it",
    many: "are kept with their tokens, because other resources of this program have them",
    rest: "No current group was deleted.",
  },
  "mapping-not-verified": {
    one: "was updated with a new mapping",
    many: "were updated with new mappings",
    rest: unverified,
  },
  retained: {
    one: "stays in the service without a resource, because removed is retain",
    many: "stay in the service without a resource, because removed is retain",
    rest:
      "To delete a retained group, delete it in the service; or declare the customer again with the same values, run pulumi up, and remove " +
      'the customer with removed: "delete".',
  },
  "retained-former": {
    code: "retained",
    one: "is a former group, whose time ends at $fields, and stays in the service without a resource, because removed is retain",
    many: "are former groups, whose times end at $fields, and stay in the service without a resource, because removed is retain",
    rest: "To delete such a group, delete it in the service, or by pulumi do with the plugin.",
  },
  settled: {
    one: "was requested again, because an earlier request may have been applied",
    many: "were requested again, because earlier requests may have been applied",
    rest: "No token has changed.",
  },
  "stored-with-other-values": {
    one: "has another name or other properties in the service than were sent",
    many: "have other names or properties in the service than were sent",
    rest: "The state stores both, and this isn't drift.",
  },
  "token-changed": {
    one:
      "has another token than the state, and counts as adopted: somebody else, an interrupted update or the preview of this command created " +
      "it again, or the state is an older one",
    many:
      "have other tokens than the state, and count as adopted: somebody else, an interrupted update or the preview of this command created " +
      "them again, or the state is an older one",
    rest: `${order} ${unverified}`,
  },
  "wrong-group": {
    one: "has the token of $fields in the service, so the service mixes them up, or takes both IDs for one group",
    many: "have the tokens of $fields in the service, so the service mixes them up, or takes several IDs for one group",
    rest: "The state stays as it was. Use one spelling of an ID; otherwise ask the service's operator.",
  },
} as const satisfies Record<string, WarningText>;

export type Warning = keyof typeof warnings;

/** The code of every warning of a preview or an option. */
export const previewWarnings = [
  "created-unchecked",
  "exponent-in-id",
  "former-group-deleted",
  "former-token",
  "groups-not-known",
  "guards-not-known",
  "ignored-changes-applied",
  "new-token",
  "planned-changes",
  "possible-new-token",
  "to-be-settled",
] as const;

export type PreviewWarning = (typeof previewWarnings)[number];

/** A warning as it is printed: it ends with its code. An error that can only be printed as a warning keeps its code. */
export type WarningLine = `${string} [${Warning | PreviewWarning | ErrorCode}]`;

/** `user group "acme" existed before …. … [adopted]`, or `3 user groups existed before …: "a", "b", "c". … [adopted]`. */
export function warningOf(
  warning: Warning,
  groups: readonly GroupName[],
  fields: readonly string[] = [],
): WarningLine {
  const { one, many, rest, code }: WarningText = warnings[warning];
  const [first] = groups;
  const isOne = first !== undefined && groups.length === 1;
  const text = isOne
    ? `${nameOf(first)} ${one}`
    : `${groups.length} user groups ${many}: ${firstFew(groups)}`;
  return `${text.replace("$fields", () => listed(fields))}. ${rest} [${code ?? warning}]`;
}

/** `name, mapping and properties` */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

function withCode(code: PreviewWarning, text: string): WarningLine {
  return `${text} [${code}]`;
}

/** diff: a state shows another API token than groups that were requested before it was seen. */
export function createdUnchecked(groups: readonly GroupName[]): WarningLine {
  return withCode(
    "created-unchecked",
    `${namesOf(groups)}: requested before a state showed that it was written with another API token. If today's is that of another ` +
      "account, run pulumi destroy --target <urn> for their resources, restore the previous API token, and run pulumi up.",
  );
}

export function exponentInId(groups: readonly GroupName[]): WarningLine {
  return withCode(
    "exponent-in-id",
    `${namesOf(groups)}: the ID has the form of a number in exponent notation, which YAML makes of a long number. Quote the number in the ` +
      "program or in the configuration.",
  );
}

/**
 * `changed`: the fields of which a change gives the group a new token. `unknown`: those whose values aren't known yet. `former`: what
 * becomes of the former group (`formerGroupText`); undefined: the group is deleted first. `waiting`: until when former groups of earlier
 * changes stay, ISO 8601 times.
 */
export function newToken(
  group: GroupName,
  {
    changed,
    unknown,
    former,
    waiting,
  }: Record<"changed" | "unknown" | "waiting", readonly string[]> & { readonly former: string | undefined },
): WarningLine {
  const name = nameOf(group);
  const isOverlap = former !== undefined;
  const isBlank = former === undefined || former === formerGroupText(undefined);
  const ofFormer = isOverlap ? ` Its former group ${former}.${waitingText(waiting)}` : "";
  const rest = `${ofFormer}${isBlank ? ` ${blank}` : ""}`;
  const effect = isOverlap ? "gets a new token" : "is deleted and created again, and gets a new token";
  const known = changed.filter((field) => !unknown.includes(field));
  if (known.length > 0)
    return withCode("new-token", `${name} ${effect}, because ${reasonFor(known)}.${rest}`);
  const possibly = isOverlap
    ? "possibly gets a new token"
    : "is possibly deleted and created again with a new token";
  return withCode(
    "possible-new-token",
    `${name} ${possibly}, because a value of its ${unknown.join(" and ")} isn't known yet: it depends on another resource of this ` +
      `update.${rest}`,
  );
}

/** What follows from a new token without `overlap`, and what helps. */
const blank =
  "Its dashboards are blank until you deliver the new token; with overlap: true, the former token stays valid meanwhile.";

/** `stays for 24 hours`, `stays until the next up`, or without `overlap`, `is deleted in the same up`. */
export function formerGroupText(overlapHours: number | undefined, isPlural = false): string {
  if (overlapHours === undefined) return `${isPlural ? "are" : "is"} deleted in the same up`;
  const verb = isPlural ? "stay" : "stays";
  if (overlapHours === 0) return `${verb} until the next up`;
  return `${verb} for ${overlapHours} ${overlapHours === 1 ? "hour" : "hours"}`;
}

function waitingText(times: readonly string[]): string {
  if (times.length === 0) return "";
  return ` ${times.length === 1 ? "That of an earlier change stays" : "Those of earlier changes stay"} until ${listed(times)}.`;
}

function reasonFor(fields: readonly string[]): string {
  const isPlural = fields.length > 1 || fields.some((field) => field.endsWith("s"));
  return `its ${listed(fields)} ${isPlural ? "change" : "changes"}`;
}

/** The program wants the values of a former group again. `former`: what becomes of the one that it has now. */
export function formerToken(group: GroupName, former: string): WarningLine {
  return withCode(
    "former-token",
    `${nameOf(group)} gets back the token of its former group, which has the program's values. The group that it has now ` +
      `${former}. For another token, change keepers to a new value.`,
  );
}

/** `count`: of former groups whose time is over. */
export function formerGroupDeleted(group: GroupName, count: number): WarningLine {
  const isOne = count === 1;
  const groups = isOne ? "its former group is deleted" : `${count} former groups are deleted`;
  const why = `because ${isOne ? "its" : "their"} time is over or the program ends it`;
  return withCode("former-group-deleted", `${nameOf(group)}: ${groups}, ${why}.`);
}

export function toBeSettled(group: GroupName): WarningLine {
  return withCode(
    "to-be-settled",
    `${nameOf(group)} is requested again, because an earlier request may have been applied.`,
  );
}

/** `keepers: 40, name: 5`: how many groups get a new token by a change of each field. One may count for several. */
export function fieldCounts(
  changes: readonly { readonly is: string; readonly because?: readonly string[] }[],
): string {
  const fields = changes.flatMap(({ because = [] }) => because);
  const counts = [...new Set(fields)].map((field) => ({
    field,
    count: fields.filter((each) => each === field).length,
  }));
  counts.sort((one, other) => other.count - one.count);
  return counts.map(({ field, count }) => `${field}: ${count}`).join(", ");
}

/** The groups of a new `UserGroups`. */
export function creationText(groups: readonly GroupName[], { adopt }: { readonly adopt?: unknown }): string {
  const names = firstFew(groups);
  if (adopt === false) return `${groups.length} to create, which fails for those that exist (${names})`;
  return `${groups.length} to create or adopt (${names})`;
}

/** `changes`: such as `2 to create ("a", "b")`. `isBlank`: some get new tokens after their groups were deleted. */
export function plannedChanges(changes: readonly string[], isBlank = false): WarningLine {
  const follows = isBlank
    ? " Dashboards of groups that are created again are blank until you deliver their new tokens; with overlap: true, the former ones stay valid meanwhile."
    : "";
  return withCode("planned-changes", `${plannedChangesText(changes)}${follows}`);
}

/** The same for a change that takes no token from a customer, which is no warning. */
export function plannedChangesText(changes: readonly string[]): string {
  return `user groups in this change: ${changes.join(", ")}.`;
}

/** The identity in the state is another one. `subject`: as messages name the resource. */
export function renamedText(subject: string): string {
  return `${subject}: the resource has another name or parent than in the state. This alone changes the state only.`;
}

export function guardsNotKnown(): WarningLine {
  return withCode(
    "guards-not-known",
    "removed, deletionLimit or overlap isn't known yet, because it depends on another resource of this update, which may refuse the change.",
  );
}

export function groupsNotKnown(): WarningLine {
  return withCode(
    "groups-not-known",
    "user groups in this change: groups isn't known yet, because it depends on another resource of this update, which checks " +
      "its guards, too.",
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

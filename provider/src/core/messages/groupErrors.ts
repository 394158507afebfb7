/** Every error about groups: the operation and the group, the cause, and what ends it. `by`: the resource that has or declares the group. */
import {
  cannot,
  firstFew,
  namesOf,
  UserGroupError,
  withCode,
  withRemedy,
  type ErrorCode,
  type GroupName,
  type Subject,
} from "../../errors";
import { quoted } from "../../text";
import type { GetOrCreateResult } from "../../service/client";
import { getOrAdd, type Resource } from "../../values";
import type { StoredGroup } from "../state/group";
import { fieldCounts } from "./warnings";

type Problem = readonly [cause: string, remedy: string];

/** The error of a creation that found an existing group. Nothing is stored. */
export function creationError(
  subject: Subject,
  refusal:
    | { readonly row: "adoption-refused" | "still-shown" }
    | { readonly row: "wrong-group"; readonly by: Resource },
  providedId: string,
  result: Pick<GetOrCreateResult, "isPossiblyApplied">,
): UserGroupError {
  const by = resourceName(refusal.row === "wrong-group" ? refusal.by : undefined);
  const { code, problem } = creationProblems[refusal.row];
  const [cause, remedy] = problem(by);
  const lost = result.isPossiblyApplied
    ? ` The response to an earlier attempt was lost, so this run may have created the group. Its ID in the service is ${quoted(providedId)}.`
    : "";
  // The refused group may be the one that an attempt of this run has created.
  const isPossiblyApplied = code !== "adoption-refused";
  return cannot(subject, code, cause, `${remedy}${lost} ${mayBeWritten}`, isPossiblyApplied);
}

/** On a service that updates existing groups, get-or-create has stored the values of the refused request. A kept group has a doubt. */
const mayBeWritten =
  "If the service updates existing groups, it has the program's values now: run pulumi refresh in the stack that has the group.";

const creationProblems = {
  "adoption-refused": {
    code: "adoption-refused",
    problem: (): Problem => [
      "it exists, and adopt is false",
      "Nothing was recorded. If the group is yours (an interrupted run created it, or another resource had it), set adopt: true for one " +
        "pulumi up, give a renamed resource an alias, or import it (npx --no pulumi-user-groups import-file). Otherwise choose another userGroupId.",
    ],
  },
  "replacement-retained": {
    code: "replacement-retained",
    problem: (): Problem => [
      "it was to be deleted first, but the service still has it with the token in the state, because an option skipped the deletion " +
        "(retainOnDelete, or deleteBeforeReplace: false) or the service didn't do it",
      "The state keeps the group. If an option skipped it, remove the option by a pulumi up with the previous values, then run the same command again.",
    ],
  },
  "still-shown": {
    code: "timed-out",
    problem: (): Problem => [
      "the service still shows the group that this command has deleted, so wait until it doesn't",
      "Nothing was recorded. Then run the same command again.",
    ],
  },
  "wrong-group": {
    code: "wrong-group",
    problem: (resource): Problem => [
      `the service returned the token that ${resource} has for another userGroupId, so the service takes both for one group (because of upper ` +
        "case or spaces, for example), or that state is out of date",
      "Nothing was recorded. Use one spelling of the ID, that which the state has. If they are two groups, run pulumi refresh, then run the same command again.",
    ],
  },
} as const satisfies Record<
  string,
  { readonly code: ErrorCode; readonly problem: (resource: string) => Problem }
>;

/** `resource "acme" of this program`, from an identity, which ends in `::<name>`. */
function resourceName(resource: Resource | undefined): string {
  const name = resource?.split("::").slice(1).join("::");
  return name ? `resource ${quoted(name)} of this program` : "another resource of this program";
}

/** Why a group may not be deleted: the row of the table, which is the code. The group and the state stay. */
export type DeleteRefusal =
  | { readonly row: "wrong-group" | "removed-elsewhere"; readonly by: Resource }
  | { readonly row: "mapping-conflict"; readonly by: Resource; readonly reason: "has" | "declares" }
  | {
      readonly row: "move-unconfirmed";
      readonly by: Resource;
      readonly reason: "another token" | "another group" | "not got yet" | "deleted first" | "in its time";
      /** The end of a former group's time: ISO 8601. */
      readonly until?: string | undefined;
    };

/** The error of a deletion that other resources forbid, or what has replaced the resource `own`. The group and the state stay. */
export function deletionError(subject: Subject, refusal: DeleteRefusal, own: Resource): UserGroupError {
  const reason = "reason" in refusal ? refusal.reason : refusal.row;
  const until = "until" in refusal ? (refusal.until ?? "") : "";
  const problem: (resource: string, until: string) => Problem = deletionProblems[reason];
  const isReplaced = refusal.by === own && reason !== "in its time";
  const holder = isReplaced ? `the replacement of ${resourceName(own)}` : resourceName(refusal.by);
  const [cause, remedy] = problem(holder, until);
  return cannot(subject, refusal.row, cause, `The group was not deleted, and the state keeps it. ${remedy}`);
}

const deletionProblems = {
  has: (resource: string): Problem => [
    `${resource} has it with a different mapping or other keepers, so one of both states is wrong`,
    "To end this, change keepers there, which gives the group the program's mapping and a new token. Or, if the mapping there is right and " +
      "this whole resource leaves the program, remove it from the state by pulumi state delete and its URN: the group stays in the service.",
  ],
  declares: (resource: string): Problem => [
    `${resource} declares it with another mapping or other keepers, or would request another ID in the service (overlap)`,
    moveAsIs,
  ],
  "removed-elsewhere": (resource: string): Problem => [
    `${resource} declares it, too`,
    'To keep its token, set removed: "retain" in this UserGroups for one pulumi up: it leaves the group in the service, and the other ' +
      "resource adopts it.",
  ],
  "in its time": (resource: string, until: string): Problem => [
    `${resource} declares the customer, and a former group stays until ${until}, because applications may still have its token`,
    "Run pulumi up after that time. To end it now, deliver the current token, then set overlapHours: 0 there and run pulumi up. If a " +
      "resource was renamed, the renaming can be taken back.",
  ],
  "deleted first": (): Problem => [
    "overlap is true, and an option would delete it before another group of the customer is created",
    "Leave out deleteBeforeReplace, or give the customer a new token by keepers.",
  ],
  "another group": (resource: string): Problem => [
    `${resource} has got another group of this customer in the same update, and applications still have the token of this one`,
    "Deliver the new token from the stack's outputs, then run pulumi up: it deletes this group.",
  ],
  "not got yet": (resource: string): Problem => [
    `${resource} declares it, but hasn't got it from the service`,
    "Correct the error of that resource, then run the same command again.",
  ],
  "another token": (resource: string): Problem => [
    `${resource} has it with another token, so one of both states is out of date`,
    "Run pulumi refresh, then run the same command again.",
  ],
  "wrong-group": (resource: string): Problem => [
    `${resource} has its token with another userGroupId, so its deletion could delete that group`,
    'Run pulumi refresh, then run the same command again. If that doesn\'t help, drop it from the state only: by removed: "retain" in a ' +
      "UserGroups, or by pulumi state delete <urn>.",
  ],
} as const;

/** What get-or-create showed after a refused deletion. */
export type RefusedDeletion =
  "same token" | "other token" | "possibly created" | "not cleaned up" | "not known";

/** The error of a deletion that the service refused. The state keeps the group. */
export function refusedDeletion(
  error: UserGroupError,
  finding: RefusedDeletion,
  stored: StoredGroup,
  isFormer: boolean,
): UserGroupError {
  const needsDataSource =
    stored.dataSourceProvidedId === undefined
      ? " The service may need dataSourceProvidedId: set it, run pulumi up, then run the same command again."
      : " Check its dataSourceProvidedId.";
  const kept = isFormer
    ? "The customer's current group isn't affected, and the state keeps this former group of overlap."
    : "The state keeps the group.";
  const refresh = "Run pulumi refresh, then run the same command again.";
  const { providedId, userGroupId } = stored;
  const idInService =
    providedId === userGroupId || isFormer ? "" : ` Its ID in the service is ${quoted(providedId)}.`;
  const remedies: Record<RefusedDeletion, string> = {
    "same token": `${kept} Its token is up to date, so the service refuses for another reason.${needsDataSource}`,
    "other token": `${kept} The service has it with another token, so it was created again.${idInService} ${refresh}`,
    "possibly created": `${kept} It isn't known whether it was gone: the service has group ${quoted(providedId)} with another token, and an attempt of get-or-create, the only read, may have created it, because its response was lost. ${refresh}`,
    "not cleaned up": `${kept} It was gone already; get-or-create, which shows that, created it again, and its deletion failed.${idInService} ${refresh}`,
    "not known": `${kept} Its token may be stale: run pulumi refresh, then run the same command again.${needsDataSource}${idInService}`,
  };
  return withRemedy(error, remedies[finding], `${finding}, ${isFormer}`);
}

export function settingConflict(subject: Subject, operation: keyof typeof settingConflicts): UserGroupError {
  const [cause, remedy] = settingConflicts[operation];
  return cannot(subject, "setting-conflict", cause, remedy);
}

const settingConflicts = {
  adoption: [
    "adopt is false and user-groups:changes is update, so get-or-create would change an existing group instead of " +
      "only finding it",
    "No request was sent. Set adopt to true, or set user-groups:changes to replace.",
  ],
  lookup: [
    "user-groups:changes is update, so get-or-create, the service's only read, would store the lookup's values in the group",
    "No request was sent. Read the token by a StackReference, or if a resource of this program has the group, let the lookup depend on it " +
      "(dependsOn).",
  ],
  import: [
    "user-groups:changes is update, and an import without mapping and properties would clear them in the service",
    "No request was sent. Pass mapping and properties (an empty object for none), or set user-groups:changes to replace.",
  ],
  update: [
    "user-groups:changes is replace, and the planned change is an update",
    "No request was sent. Run the same command again to plan a replacement.",
  ],
} as const satisfies Record<string, Problem>;

/** The group wasn't created, because the service still has it. The state keeps it, but the refused request may have updated it. */
export class RetainedGroupError extends UserGroupError {
  readonly group: StoredGroup;

  constructor(subject: Subject, kept: StoredGroup) {
    const [cause, remedy] = creationProblems["replacement-retained"].problem();
    super("replacement-retained", cannot(subject, "replacement-retained", cause, remedy).sentence);
    this.group = { ...kept, adopted: true, doubt: true };
  }
}

/** A creation failed after the deletion of the same group. */
export class NotRecreatedError extends UserGroupError {}

/** Adds to the error of a creation that the group was deleted before. */
export function notRecreated(error: UserGroupError): UserGroupError {
  if (error instanceof NotRecreatedError) return error;
  const note = error.isPossiblyApplied
    ? "The group was deleted to be created again, and may exist now. Run the same command again, also before you take the change back."
    : "The group was deleted to be created again, so it doesn't exist now. Run the same command again, or pulumi up with the previous program.";
  const facts = { ...error.facts, cause: `not recreated: ${error.causeKey}` };
  return new NotRecreatedError(error.code, `${error.facts.problem ?? error.sentence} ${note}`, facts);
}

/** A lookup of a group that doesn't exist. `isCleanedUp`: the group that the request created was deleted again. */
export function noSuchGroup(subject: Subject, isCleanedUp: boolean): UserGroupError {
  const result = isCleanedUp ? "it was deleted again" : "its deletion failed, so it exists now";
  const cause = `it doesn't exist (get-or-create, the service's only read, created it, and ${result})`;
  const remedy = isCleanedUp ? "" : " To delete it, declare it, run pulumi up, and remove it again.";
  return cannot(
    subject,
    "no-such-group",
    cause,
    "Check the ID: a group with overlap has another one (its output providedId), and is better read by a stack reference. To create the " +
      `group, declare it; a lookup of a group of the same program needs dependsOn.${remedy}`,
  );
}

/** A lookup found the group by an attempt after one whose response was lost. */
export function possiblyCreated(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "no-such-group",
    "it isn't known whether it existed before: an attempt of this lookup whose response was lost may have created it",
    "If it is yours, run the same command again, which finds it. Otherwise delete it in the service.",
  );
}

/** `hasMapping`: the request had another mapping too, which no response shows. `isInPart`: a part of it may have been applied. */
export function updateNotApplied(
  subject: Subject,
  fields: readonly string[],
  { hasMapping, isInPart }: { readonly hasMapping: boolean; readonly isInPart: boolean },
) {
  const cause = `the service still returns the previous ${fields.join(" and ")}`;
  const mapping = hasMapping ? " The service may have the new mapping." : "";
  const remedy =
    `The state keeps the previous values, and the next pulumi up requests the group again.${mapping} If the service doesn't update ` +
    `${fields.join(" and ")}, set user-groups:changes to "replace".`;
  return cannot(subject, "update-not-applied", cause, remedy, isInPart);
}

/** A doubt about an earlier request: the service has another group. The state has it now, and the planned change wasn't begun. */
export function anotherGroupFound(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "update-not-applied",
    "the service has another group under its ID than the state had, with another token",
    "The state has that group now, and the planned change wasn't begun. Run pulumi up again: its preview says what becomes of the group.",
  );
}

/** A creation with overlap had no response. `providedId`: the ID that it requested. */
export function creationNotConfirmed(error: UserGroupError, providedId: string): UserGroupError {
  const created = quoted(providedId);
  return new UserGroupError(
    error.code,
    `${error.facts.problem ?? error.sentence} Group ${created} may exist in the service now, and no state has it. Run the same command ` +
      `again: it finds this group. If you make another change instead, ${created} may stay in the service.`,
    // The same change finds it, so the state has no doubt.
    { cause: `not confirmed: ${error.causeKey}`, isOfOneRequest: error.facts.isOfOneRequest ?? false },
  );
}

/** The proof of an account, see deployment/proof.ts. `groups`: those of a state, of which the first were read. */
export function nothingFound(
  subject: string,
  groups: readonly GroupName[],
  left: Record<"possiblyCreated" | "possiblyWritten" | "unchecked", readonly GroupName[]>,
): UserGroupError {
  const { possiblyCreated, possiblyWritten, unchecked } = left;
  const created =
    possiblyCreated.length > 0 ? ` A read may have created ${namesOf(possiblyCreated)} there.` : "";
  const written =
    possiblyWritten.length > 0
      ? ` Because user-groups:changes is update, ${namesOf(possiblyWritten)} may have this state's values there now. To prove the account ` +
        "without writing, run pulumi refresh with the previous API token."
      : "";
  const rest =
    created + written === ""
      ? "Nothing was recorded or left there."
      : `Nothing was recorded.${created}${written}`;
  const before =
    unchecked.length > 0
      ? ` Before, this command has created or adopted ${namesOf(unchecked)}, which ${unchecked.length === 1 ? "stays" : "stay"}.`
      : "";
  const sentence =
    `Cannot ${subject}: the service doesn't have ${namesOf(groups.slice(0, 3))} as in the state, so the API token probably belongs to another ` +
    `account. ${rest} Check the API token and the address, then run the same command again. If this is the ` +
    `right account and its groups are gone, run pulumi state delete <urn> for each resource, then pulumi up.${before}`;
  return new UserGroupError("nothing-found", sentence);
}

/** check: another resource declares the groups. */
export function declaredTwice(groups: readonly GroupName[], by: Resource): string {
  return withCode(
    "declared-twice",
    `${namesOf(groups)}: ${resourceName(by)} declares ${pronoun(groups)}, too. Both resources would have one token, and one ` +
      "mapping would be wrong. Declare a group once, and read it elsewhere by UserGroup.get.",
  );
}

/** A customer that resource `from`, a `UserGroups`, removes from the program, and that resource `by` declares. */
export interface RefusedMove {
  readonly code: keyof typeof moveProblems;
  readonly userGroupId: string;
  readonly from: Resource;
  readonly by: Resource;
}

/** check and diff: an error for each pair of resources, those about deletions first. */
export function moveErrors(moves: readonly RefusedMove[]): UserGroupError[] {
  const byPair = new Map<string, RefusedMove[]>();
  for (const move of moves) getOrAdd(byPair, [move.code, move.from, move.by].join("\n"), () => []).push(move);
  const all = [...byPair.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ code: first.code, sentence: moveProblems[first.code](same, first) }] : [];
  });
  all.sort((one, other) => (one.code > other.code ? -1 : 1));
  return all.map(({ code, sentence }) => new UserGroupError(code, sentence));
}

const moveAsIs =
  "First declare the customer there as the state has the group: with the same values, and with overlap only if its output providedId isn't " +
  "the userGroupId. Then change it by another pulumi up.";

const moveProblems = {
  "removed-elsewhere": (groups: readonly GroupName[], { from, by }: RefusedMove) =>
    `${namesOf(groups)}: ${resourceName(from)} removes ${pronoun(groups)}, and ${resourceName(by)} declares ${pronoun(groups)}. A deletion ` +
    `would take away the token. To keep it, set removed: "retain" in ${resourceName(from)} for this pulumi up: it leaves ` +
    `${pronoun(groups)} in the service, and the other resource adopts ${pronoun(groups)}.`,
  "mapping-conflict": (groups: readonly GroupName[], { from, by }: RefusedMove) =>
    `${namesOf(groups)}: ${resourceName(from)} leaves ${pronoun(groups)} in the service, and ${resourceName(by)} declares ` +
    `${pronoun(groups)} with another mapping or other keepers, or would request another ID in the service (overlap). An adopted group ` +
    `keeps its mapping. ${moveAsIs}`,
} as const;

function pronoun(groups: readonly GroupName[]): string {
  return groups.length === 1 ? "it" : "them";
}

/** Counts the customers whose group is deleted, and those who get a new token by a deletion. */
export function aboveDeletionLimit(
  changes: readonly (GroupName & { readonly is: string; readonly because?: readonly string[] })[],
  limit: number,
  remedy: string,
): UserGroupError {
  const recreated = changes.filter(({ is }) => is !== "leave");
  const deleted = changes.length - recreated.length;
  const again =
    recreated.length > 0
      ? `, ${recreated.length} to delete and create again (${fieldCounts(recreated)})`
      : "";
  const noun = changes.length === 1 ? "user group" : "user groups";
  return new UserGroupError(
    "deletion-limit",
    `This change would delete ${changes.length} ${noun} (${firstFew(changes)}), but deletionLimit is ${limit}: ${deleted} to delete${again}. ${remedy}`,
  );
}

export const limitRemedies = {
  change: "Nothing was changed. If you intend the change, raise deletionLimit.",
  departure:
    'Nothing was changed. If groups move to another resource, set removed: "retain" here for one pulumi up. Otherwise, if you intend the ' +
    "change, raise deletionLimit.",
  replacement: "No group was deleted. If you intend the change, raise deletionLimit, then run pulumi up.",
  resource:
    "No group was deleted. This limit is the state's. To delete the groups, raise or drop it by pulumi up first, with the resource in the " +
    "program; then run the same command again. If the program is lost, pulumi state delete <urn> removes the resource, and the groups stay.",
};

/** The program leaves out guards that the state has. */
export function guardDropped(guards: readonly string[]): UserGroupError {
  const them = guards.length === 1 ? "it" : "them";
  return new UserGroupError(
    "guard-dropped",
    `Cannot update: the state has ${guards.join(" and ")}, and the program doesn't set ${them}. Perhaps its branch is older than the guard. Nothing was ` +
      `changed. State the value that you want; or drop ${them} by a pulumi up of its own, which changes nothing else.`,
  );
}

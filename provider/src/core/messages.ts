/** The warnings and errors about groups. Each names the group first, then the cause and the remedy. */
import {
  cannot,
  firstFew,
  nameOf,
  UserGroupError,
  withRemedy,
  type GroupName,
  type Subject,
} from "../errors";
import { quoted } from "../text";
import type { Resource } from "./claims";
import type { CreationRefusal, DeletionRefusal } from "./decisions";
import type { StoredGroup } from "./drift";
import type { WarningLine } from "./previewWarnings";

/** `one` and `many` follow the name of one group, or the number of several; `rest` is true of both. */
interface WarningText {
  readonly one: string;
  readonly many: string;
  readonly rest: string;
  /** The number of groups that are named. Default 5. */
  readonly shown?: number;
}

const unverified =
  "The service never returns a mapping, so it can't be verified. To be sure of a mapping, change keepers, which recreates the " +
  "group and replaces its token.";

/** Code → text of every warning about groups. */
export const warnings = {
  adopted: {
    one: "existed before and is adopted with its token",
    many: "existed before and are adopted with their tokens",
    rest: unverified,
  },
  "adopted-with-other-values": {
    one: "has another name or other properties in the service than in the program",
    many: "have another name or other properties in the service than in the program",
    rest: "The next preview shows the differences.",
  },
  "claim-taken-over": {
    one: "was imported without its mapping or keepers, and takes over those of the program",
    many: "were imported without their mappings or keepers, and take over those of the program",
    rest: `No request was sent. ${unverified}`,
  },
  "created-again": {
    one: "didn't exist in the service, and was created again with a new token",
    many: "didn't exist in the service, and were created again with new tokens",
    rest: "Deliver the new token to the application.",
  },
  kept: {
    one: "is kept with its token, because another resource of this program has it",
    many: "are kept with their tokens, because other resources of this program have them",
    rest: "For a renamed resource, an alias avoids this warning.",
  },
  "kept-with-unknown-mapping": {
    one: "is kept with its token, because another resource of this program has it, but the two states differ in mapping or keepers",
    many: "are kept with their tokens, because other resources of this program have them, but the states differ in mapping or keepers",
    rest: `Neither state can prove its own. ${unverified}`,
  },
  "mapping-not-verified": {
    one: "was updated with a new mapping",
    many: "were updated with new mappings",
    rest: "The service never returns a mapping, so the update can't be verified.",
  },
  "not-released": {
    one: "stays in this state until the resource that declares it has got it from the service",
    many: "stay in this state until the resources that declare them have got them from the service",
    rest: "The next pulumi up removes it from this state.",
  },
  "overlap-id-taken": {
    one: "exists in the service, and no resource declared so far has it",
    many: "exist in the service, and no resource declared so far has them",
    rest:
      "It was not used for a change with overlap, because its mapping can't be known. If it isn't a customer's, and no resource that is to " +
      "be deleted has it, an interrupted update has created it. Then delete it: declare it, run pulumi up, and remove it again.",
    // Nothing else knows them.
    shown: 1000,
  },
  "possibly-created": {
    one: "was possibly created by an attempt whose response was lost, so it counts as adopted",
    many: "were possibly created by attempts whose responses were lost, so they count as adopted",
    rest: `If it existed before, the service may have another mapping. ${unverified}`,
  },
  "possibly-retained": {
    one: "was to be deleted and created again, but the service has it with another token than the state, so it is adopted",
    many: "were to be deleted and created again, but the service has them with other tokens than the state, so they are adopted",
    rest: `Either an interrupted update created it, or its deletion was skipped and it has its former mapping: then remove retainOnDelete first. ${unverified}`,
  },
  "recreated-after-lookup": {
    one: "had been created by a lookup of this program with other values, and was deleted and created again",
    many: "had been created by lookups of this program with other values, and were deleted and created again",
    rest: "The lookup has an outdated token until the next pulumi up.",
  },
  settled: {
    one: "was requested again, because an earlier request may have been applied",
    many: "were requested again, because earlier requests may have been applied",
    rest: unverified,
  },
  "stored-with-other-values": {
    one: "has another name or other properties in the service than were sent",
    many: "have another name or other properties in the service than were sent",
    rest: "The state stores both, and this isn't drift.",
  },
  "token-changed": {
    one: "has another token than the state, because somebody else or an interrupted update created it",
    many: "have other tokens than the state, because somebody else or an interrupted update created them",
    rest: `The new token is stored, and the group counts as adopted. ${unverified}`,
  },
} as const satisfies Record<string, WarningText>;

export type Warning = keyof typeof warnings;

/** `user group "acme" existed before …. … [adopted]`, or `3 user groups existed before …: "a", "b", "c". … [adopted]`. */
export function warningOf(warning: Warning, groups: readonly GroupName[]): WarningLine {
  const { one, many, rest, shown }: WarningText = warnings[warning];
  const [first] = groups;
  if (first !== undefined && groups.length === 1) return `${nameOf(first)} ${one}. ${rest} [${warning}]`;
  const connection = first?.connection === undefined ? "" : ` (connection ${quoted(first.connection)})`;
  return `${groups.length} user groups ${many}: ${firstFew(groups, shown)}${connection}. ${rest} [${warning}]`;
}

type Problem = readonly [cause: string, remedy: string];

/** On a service that updates existing groups, get-or-create has stored the values of the refused request. */
const mayBeWritten =
  "If the service updates existing groups, it has the program's values for this group now; pulumi refresh restores those of a state.";

/** The error of a creation that found an existing group. Nothing is stored. `isSent`: the request was sent. */
export function creationError(
  subject: Subject,
  refusal: { readonly code: CreationRefusal; readonly by?: Resource },
  isSent = true,
): UserGroupError {
  const [cause, remedy] = creationProblems[refusal.code];
  const isSaid = refusal.code === "mapping-conflict";
  const written = isSaid ? "" : ` ${mayBeWritten}`;
  const sent = isSent ? written : " No request was sent for it.";
  return cannot(
    subject,
    refusal.code,
    cause.replace("another resource", resourceName(refusal.by)),
    remedy + sent,
  );
}

const creationProblems: Record<CreationRefusal, Problem> = {
  "adoption-ambiguous": [
    "it exists, adopt is false, and an earlier attempt may have created it, because its response was lost",
    "Nothing was recorded. If the group is yours, set adopt to true. Otherwise choose another userGroupId.",
  ],
  "adoption-refused": [
    "it exists, and adopt is false",
    "Nothing was recorded. If a resource of this program has it that is declared later, let this resource depend on that one " +
      "(option dependsOn). Otherwise set adopt to true to adopt it, or choose another userGroupId.",
  ],
  "declared-twice": [
    "the service returned the token of a group that another resource declares by another connection, so " +
      "both connections lead to the same group",
    "Nothing was recorded. Declare the group once, and read it elsewhere by UserGroup.get.",
  ],
  "mapping-conflict": [
    "the state of another resource has it with another name, mapping, properties or keepers",
    "Nothing was deleted or recorded. Move the group with its former values, and change them in a later update. A service that " +
      "updates existing groups may have values of this program now: run pulumi refresh before you take the change back.",
  ],
  "overlap-id-taken": [
    "another resource has it for another customer, to whose group a change with overlap has given this ID",
    "Nothing was deleted or recorded. Choose another userGroupId.",
  ],
  "replacement-retained": [
    "the service still has it with its former token, although it was to be deleted first: the deletion was skipped (retainOnDelete or " +
      "deleteBeforeReplace: false), it had no effect, or an interrupted update had created the group again",
    "The state keeps the group. Remove the option if there is one, then run the same command again.",
  ],
  "wrong-group": [
    "the service returned the token of a group that this stack has under another userGroupId, so it takes both IDs for " +
      "one group (upper or lower case or spaces may be the cause), or that state is out of date",
    "Nothing was deleted or recorded. Keep the former userGroupId, or run pulumi refresh.",
  ],
};

/** `resource "acme"` of a URN, which ends in `::<name>`. */
function resourceName(resource: Resource): string {
  const name = resource?.split("::").slice(3).join("::");
  return name ? `resource ${quoted(name)} of this program` : "another resource of this program";
}

/** The error of a deletion that other resources forbid. The group and the state stay. */
export function deletionError(
  subject: Subject,
  { because, by }: { readonly because: DeletionRefusal; readonly by: Resource },
): UserGroupError {
  const [cause, remedy] = deletionProblems[because];
  const isConflict = because === "mapping-conflict" || because === "superseded";
  const code = isConflict ? "mapping-conflict" : "move-unconfirmed";
  const named = cause.replace("another resource", resourceName(by));
  return cannot(subject, code, named, `The group was not deleted, and the state keeps it. ${remedy}`);
}

const deletionProblems = {
  "mapping-conflict": [
    "another resource has it with a different mapping or other keepers, and this state is the one that created the group",
    "A service that updates existing groups may have the values of that resource now. To take the change back, run pulumi refresh, " +
      "then pulumi up with the former program. To apply it, change keepers in that resource (again), which recreates the group with " +
      "the new mapping and a new token.",
  ],
  superseded: [
    "another resource has it, but only with the group that was its former one after a change with overlap, and that has other values",
    "To take a change of the program back, run pulumi refresh, then pulumi up with the former program. Otherwise change keepers in that " +
      "resource, which creates a group with the program's values and a new token; the pulumi up after it deletes this one.",
  ],
  renewed: [
    "another resource has got another group for this customer in the same update, and applications still have the token of this one",
    "Deliver the new token, then run the same command again: it deletes this group.",
  ],
  unconfirmed: [
    "another resource declares it, but hasn't got it from the service",
    "Correct the error of that resource, then run the same command again.",
  ],
  "other-account": [
    "another resource has got a group with this ID, but the API token isn't the one with which this state was written, so that group may " +
      "be in another account",
    "If the API token was replaced, run pulumi refresh, then run the same command again. Otherwise restore the former API token.",
  ],
  stale: [
    "the state of another resource has it with another token, so one of both states is out of date",
    "Run pulumi refresh, then run the same command again.",
  ],
  shared: [
    "the service returned its token for a group of another resource with another userGroupId or connection as well",
    "Correct that resource, or run pulumi refresh, then run the same command again. If that doesn't help, change keepers in that " +
      "resource, which gives its group a new token.",
  ],
} as const satisfies Record<DeletionRefusal, Problem>;

/** What get-or-create showed after a refused deletion. */
export type RefusedDeletion = "same token" | "other token" | "not cleaned up" | "other account" | "not known";

/** The error of a deletion that the service refused. The state keeps the group. */
export class RefusedDeletionError extends UserGroupError {
  /** `foundToken`: the other token that the group has. */
  constructor(
    private readonly refusal: UserGroupError,
    finding: RefusedDeletion,
    stored: StoredGroup,
    readonly foundToken: string | undefined,
  ) {
    const { code, sentence, facts } = refusedDeletion(refusal, finding, stored);
    super(code, sentence, facts);
  }

  /** The same if the state of a former group (`overlap`) has the other token now. */
  get asRecorded(): UserGroupError {
    return withRemedy(
      this.refusal,
      "It is the former group of a change with overlap. The service has it with another token, so somebody else created it or " +
        "replaced its token. The state has that token now. Run the same command again, which deletes the group.",
    );
  }
}

function refusedDeletion(
  error: UserGroupError,
  finding: RefusedDeletion,
  stored: StoredGroup,
): UserGroupError {
  const needsDataSource =
    stored.dataSourceProvidedId === undefined
      ? " The service may need dataSourceProvidedId: set it, run pulumi up, then run the same command again."
      : " Check its dataSourceProvidedId.";
  const kept = "The state keeps the group.";
  const refresh = "Run pulumi refresh, then run the same command again.";
  const remedies: Record<RefusedDeletion, string> = {
    "same token": `${kept} Its token is up to date, so the service refuses for another reason.${needsDataSource}`,
    "other token": `${kept} The service has it with another token, so somebody else created it. ${refresh}`,
    "not cleaned up": `${kept} It was gone already; get-or-create, which shows that, created it again, and its deletion failed. ${refresh}`,
    "other account":
      `${kept} The API token isn't the one with which the state was written, so the group may be in another account. If the API token ` +
      `was replaced, run pulumi refresh, then run the same command again. Otherwise restore the former API token.`,
    "not known": `${kept} Its token may be stale: run pulumi refresh, then run the same command again.${needsDataSource}`,
  };
  return withRemedy(error, remedies[finding]);
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
    "user-groups:changes is update, and a lookup without mapping and properties would clear them in the service",
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

  constructor(subject: Subject, former: StoredGroup) {
    super("replacement-retained", creationError(subject, { code: "replacement-retained" }).sentence);
    this.group = { ...former, adopted: true, lastChange: "unknown" };
  }
}

/** A creation failed after the deletion of the same group. */
export class NotRecreatedError extends UserGroupError {}

/** Adds to the error of a creation that the group was deleted before. */
export function notRecreated(error: UserGroupError): UserGroupError {
  if (error instanceof NotRecreatedError) return error;
  const { isPossiblyApplied } = error;
  const state = isPossiblyApplied ? "and may exist now" : "so it doesn't exist now";
  const back = isPossiblyApplied
    ? "run pulumi refresh first, and change keepers of the group, too: it may have the values of this change"
    : "run pulumi refresh first";
  const note =
    `The group was deleted to be created again, ${state}. Run the same command again. To take the change back instead, ` +
    `${back}.`;
  return new NotRecreatedError(error.code, `${error.facts.problem ?? error.sentence} ${note}`, error.facts);
}

/** The values of the resource that keeps the group couldn't be sent again. */
export function notRestored({ code, sentence, facts }: UserGroupError, by: Resource): UserGroupError {
  return new UserGroupError(
    code,
    `${facts.problem ?? sentence} The group was not deleted, because ${resourceName(by)} has it. A request was to send the values of that ` +
      "resource again, because the service may have those of this state. The state keeps the group. Run the same command again.",
  );
}

/** A lookup created the group. `isCleanedUp`: it was deleted again. */
export function noSuchGroup(subject: Subject, isCleanedUp: boolean): UserGroupError {
  const result = isCleanedUp ? "it was deleted again" : "its deletion failed, so it exists now";
  const cause = `it doesn't exist (get-or-create, the service's only read, created it, and ${result})`;
  const remedy = isCleanedUp ? "" : " To delete it, declare it, run pulumi up, and remove it again.";
  return cannot(subject, "no-such-group", cause, `Check the ID. To create the group, declare it.${remedy}`);
}

/** `hasMapping`: the request had another mapping too, which no response shows. */
export function updateNotApplied(subject: Subject, fields: readonly string[], hasMapping: boolean) {
  const cause = `the service still returns the former ${fields.join(" and ")}`;
  const mapping = hasMapping ? " The service may have the new mapping." : "";
  const remedy =
    `The state keeps the former values, and the next pulumi up requests the group again.${mapping} If the service doesn't update ` +
    `${fields.join(" and ")}, set user-groups:changes to "replace".`;
  return cannot(subject, "update-not-applied", cause, remedy);
}

/** A creation with overlap had no response. `providedId`: the ID that it requested. */
export function overlapNotConfirmed(error: UserGroupError, providedId: string): UserGroupError {
  const created = quoted(providedId);
  return new UserGroupError(
    error.code,
    `${error.facts.problem ?? error.sentence} The former group is unchanged. User group ${created} may exist in the service now, and no ` +
      "state has it. Run the same command again: the change takes another ID, and a warning names the group if it exists. If you take the " +
      `change back instead, look for ${created} in the service and delete it.`,
  );
}

/** The program declares a customer with the ID that `overlap` has given to a group of this state. */
export function idTakenByOverlap(group: GroupName, providedId: string): string {
  return (
    `A change with overlap has given the ID ${quoted(providedId)} to ${nameOf(group)}, and the program declares another customer with this ` +
    "ID. Both would have one group. Choose another userGroupId in the program before you run pulumi up again."
  );
}

/** `by`: the resource whose change with overlap has requested the group of another customer. */
export function requestedByOverlap(group: GroupName, by: Resource): UserGroupError {
  const sentence =
    `${nameOf(group)} was requested by a change with overlap of ${resourceName(by)}, which was to create a group with this ID, before ` +
    "the program declared it. A service that updates existing groups has stored the values of that change. Run pulumi refresh, which sends " +
    "the values of the state again, then run the same command again.";
  return new UserGroupError("overlap-id-taken", sentence);
}

export function noFreeId(subject: Subject, tries: number) {
  const cause = `the service has groups with each of the next ${tries} IDs, which no state of this stack has`;
  return cannot(
    subject,
    "overlap-id-taken",
    cause,
    "The former group is unchanged. Delete those groups, or set overlap to false.",
  );
}

/** Reads or updates in another account, see strangeAccount.ts. */
export function strangeAccount(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "nothing-found",
    "it isn't there as in the state, and neither are the first others that were requested, so the API token probably belongs to " +
      "another account",
    "Nothing was recorded, and the groups that these requests created were deleted again. Check the API token and the address, then " +
      "run the same command again. If this is the right account, use its groups from now on: run pulumi state delete <urn> for each resource, then pulumi up. " +
      "To delete what is left, run pulumi destroy without --refresh.",
  );
}

import { cannot, UserGroupError, type ErrorCode, type Subject } from "../../errors";
import type { Creation } from "../deployment/decisions";
import type { RecordedGroup } from "./recordedGroup";

type Problem = readonly [cause: string, remedy: string];

/** The error of a creation that found an existing group. Nothing is stored. */
export function creationError(subject: Subject, code: Extract<Creation, ErrorCode>): UserGroupError {
  return cannot(subject, code, ...creationProblems[code]);
}

const creationProblems: Record<Extract<Creation, ErrorCode>, Problem> = {
  "adoption-ambiguous": [
    "it exists, adopt is false, and an earlier attempt may have created it, because its response was lost",
    "Nothing was recorded. If the group is yours, set adopt to true. Otherwise choose another userGroupId.",
  ],
  "adoption-refused": [
    "it exists, and adopt is false",
    "Nothing was recorded. Set adopt to true to adopt it, or choose another userGroupId.",
  ],
  "declared-twice": [
    "the service returned the token of a group that another resource of this program declares by another connection, so " +
      "both connections lead to the same group",
    "Nothing was recorded. Declare the group once, and read it elsewhere by UserGroup.get.",
  ],
  "mapping-conflict": [
    "the state of another resource has it with another name, mapping, properties or keepers",
    "Nothing was deleted or recorded. Move the group with its former values, and change them in a later update.",
  ],
  "wrong-group": [
    "the service returned the token of a group that this stack has under another userGroupId, so it takes both IDs for " +
      "one group (upper or lower case or spaces may be the cause)",
    "Nothing was deleted or recorded. Keep the former userGroupId.",
  ],
};

/** The error of a deletion that other resources forbid. The group and the state stay. */
export function deletionError(subject: Subject, deletion: keyof typeof deletionProblems): UserGroupError {
  const [cause, remedy] = deletionProblems[deletion];
  const code = deletion === "mapping-conflict" ? deletion : "move-unconfirmed";
  return cannot(subject, code, cause, `The group was not deleted, and the state keeps it. ${remedy}`);
}

const deletionProblems = {
  "mapping-conflict": [
    "another resource of this program has it with a different mapping or other keepers, and the service has those of this state",
    "In the other resource, restore the former values; or change keepers (again), which recreates the group with the new mapping " +
      "and a new token.",
  ],
  unconfirmed: [
    "another resource of this program declares it, but hasn't got it from the service",
    "Correct the error of the other resource, then run the same command again.",
  ],
  stale: [
    "the state of another resource has it with another token, so one of both states is out of date",
    "Run pulumi refresh, then run the same command again.",
  ],
  shared: [
    "the service returned its token for a group with another userGroupId or connection as well",
    "Correct the other resource, then run the same command again.",
  ],
} as const satisfies Record<string, Problem>;

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

/** The group wasn't created, because the service still has it. Its former state is correct, so it is recorded. */
export class RetainedGroupError extends UserGroupError {
  constructor(
    subject: Subject,
    readonly group: RecordedGroup,
  ) {
    const cause =
      "the service still has it with its former values, because the replacement skipped its deletion (retainOnDelete or " +
      "deleteBeforeReplace: false), or the deletion had no effect";
    const remedy = "Remove the option for this change, or restore the former values.";
    super("replacement-retained", cannot(subject, "replacement-retained", cause, remedy).sentence);
  }
}

/** A creation failed after the deletion of the same group. */
export class NotRecreatedError extends UserGroupError {}

/** Waits for the creation of a group that was deleted to be created again. `forget`: called if it doesn't exist now. */
export function recreating<Result>(created: Promise<Result>, forget?: () => void): Promise<Result> {
  return created.catch((error: unknown) => {
    if (!(error instanceof UserGroupError) || error instanceof RetainedGroupError) throw error;
    forget?.();
    const note =
      "The group was deleted to be created again, so it doesn't exist now. " +
      "Run the same command again, or run pulumi refresh before you take the change back.";
    throw new NotRecreatedError(error.code, `${error.sentence} ${note}`);
  });
}

/** A lookup created the group. `isCleanedUp`: it was deleted again. */
export function noSuchGroup(subject: Subject, isCleanedUp: boolean): UserGroupError {
  const result = isCleanedUp ? "it was deleted again" : "its deletion failed, so it exists now";
  const cause = `it doesn't exist (get-or-create, the service's only read, created it, and ${result})`;
  const remedy = isCleanedUp ? "" : " To delete it, declare it, run pulumi up, and remove it again.";
  const check = "Check the ID. To create the group, declare it without import.";
  return cannot(subject, "no-such-group", cause, check + remedy);
}

/** `hasMapping`: the request had another mapping too, which no response shows. */
export function updateNotApplied(subject: Subject, fields: readonly string[], hasMapping: boolean) {
  const cause = `the service still returns the former ${fields.join(" and ")}`;
  const remedy =
    'The state is unchanged. This service doesn\'t update groups: set user-groups:changes to "replace".';
  const note = " The service may have the new mapping. To be sure of a mapping, change keepers.";
  return cannot(subject, "update-not-applied", cause, remedy + (hasMapping ? note : ""));
}

/** The errors of the operations on one group: their causes and remedies. */
import { cannot, type Subject, type UserGroupError } from "../errors";
import type { GetOrCreateResult } from "../service/client";
import type { HeldGroup } from "./group";

/** The group couldn't be created, but the service still has it as another state knew it. */
export class RetainedGroupError extends Error {
  constructor(
    readonly error: UserGroupError,
    readonly group: HeldGroup,
  ) {
    super(error.message);
  }
}

/** Errors: adoption-refused, adoption-ambiguous. */
export function assertAdoptable(
  { isPossiblyApplied }: GetOrCreateResult,
  adopt: boolean,
  subject: Subject,
): void {
  if (adopt) return;
  if (isPossiblyApplied)
    throw cannot(
      subject,
      "adoption-ambiguous",
      "it exists, adopt is false, and the response to an earlier attempt was lost, so nobody can tell who created it",
      "Nothing was recorded. If the group is yours, set adopt to true; otherwise choose another userGroupId.",
    );
  throw cannot(
    subject,
    "adoption-refused",
    "it exists, and adopt is false",
    "Nothing was recorded. Set adopt to true to adopt it, or choose another userGroupId.",
  );
}

export function mappingConflict(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "mapping-conflict",
    "another resource of this program holds it now with another mapping than this state, and the service may still " +
      "have the mapping of this state",
    "The group is kept. Give it the former mapping, or change keepers of the resource that holds it, which recreates " +
      "the group with its mapping and a new token.",
  );
}

/** The former state is still true, so it is recorded with the error. */
export function replacementRetained(
  subject: Subject,
  former: HeldGroup,
  { group: { token } }: GetOrCreateResult,
): RetainedGroupError {
  const error = cannot(
    subject,
    "replacement-retained",
    "it was to be replaced, and its deletion was skipped (retainOnDelete or deleteBeforeReplace: false), so the service " +
      "still has its former values",
    "Remove the option for this change, or restore the former values.",
  );
  return new RetainedGroupError(error, { ...former, token });
}

export function adoptionNotSafe(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "setting-conflict",
    "adopt is false and user-groups:changes is update; get-or-create would change a group that exists before that is known",
    "No request was sent. Set adopt to true, or user-groups:changes to replace.",
  );
}

export function lookupNotSafe(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "setting-conflict",
    "user-groups:changes is update, and a lookup without mapping and properties would clear them in the service",
    "No request was sent. Pass mapping and properties (an empty object for none), or set user-groups:changes to replace.",
  );
}

export function noSuchGroup(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "no-such-group",
    "the service has no such group. Its only read creates a missing group; the created one was deleted again",
    "Check the ID. To create the group, declare it without import.",
  );
}

export function updateNotAllowed(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "setting-conflict",
    "user-groups:changes is replace, and the planned change is an update",
    "No request was sent. Run the same command again.",
  );
}

export function updateNotApplied(subject: Subject, fields: readonly string[]): UserGroupError {
  return cannot(
    subject,
    "update-not-applied",
    `the service still returns the former ${fields.join(" and ")}`,
    'The state is unchanged. This service doesn\'t update: set user-groups:changes to "replace".',
  );
}

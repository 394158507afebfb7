/** The errors of operations on one group. */
import { cannot, type Subject, type UserGroupError } from "../errors";
import type { GetOrCreateResult } from "../service/client";
import type { StoredGroup } from "./storedGroup";

/** The group wasn't created, because the service still has it with the values of the former state. */
export class RetainedGroupError extends Error {
  constructor(
    readonly error: UserGroupError,
    readonly group: StoredGroup,
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
      "it exists, adopt is false, and an earlier attempt may have created it, because its response was lost",
      "Nothing was recorded. If the group is yours, set adopt to true. Otherwise choose another userGroupId.",
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
    "another resource of this program has it with a different mapping, and the service may still have the mapping of " +
      "this state",
    "The group was not deleted. In the other resource, restore the former mapping; or change keepers, which recreates " +
      "the group with the new mapping and a new token.",
  );
}

/** The former state is still correct, so it is recorded with the error. */
export function replacementRetained(
  subject: Subject,
  former: StoredGroup,
  { group: { token } }: GetOrCreateResult,
): RetainedGroupError {
  const error = cannot(
    subject,
    "replacement-retained",
    "the replacement skipped its deletion (retainOnDelete or deleteBeforeReplace: false), so the service still has the " +
      "former values",
    "Remove the option for this change, or restore the former values.",
  );
  return new RetainedGroupError(error, { ...former, token });
}

export function adoptionNotSafe(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "setting-conflict",
    "adopt is false and user-groups:changes is update, so get-or-create would change an existing group instead of " +
      "only finding it",
    "No request was sent. Set adopt to true, or set user-groups:changes to replace.",
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
    "it doesn't exist (get-or-create, the service's only read, created it, and it was deleted again)",
    "Check the ID. To create the group, declare it without import.",
  );
}

export function updateNotAllowed(subject: Subject): UserGroupError {
  return cannot(
    subject,
    "setting-conflict",
    "user-groups:changes is replace, and the planned change is an update",
    "No request was sent. Run the same command again to plan a replacement.",
  );
}

export function updateNotApplied(subject: Subject, fields: readonly string[]): UserGroupError {
  return cannot(
    subject,
    "update-not-applied",
    `the service still returns the former ${fields.join(" and ")}`,
    'The state is unchanged. This service doesn\'t update groups: set user-groups:changes to "replace".',
  );
}

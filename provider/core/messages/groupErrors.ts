/**
 * The errors about groups: which text of the catalogue says what happened, and which sentences follow it. `by`: the resource that has or
 * declares the group.
 */
import {
  cannot,
  errorOf,
  firstFew,
  namesOf,
  textWithCode,
  UserGroupError,
  withRemedy,
  type GroupName,
  type Subject,
} from "../../errors";
import type { ErrorCode } from "../../messages/catalogue";
import { message, note, sentences, type Message } from "../../messages/message";
import type { GetOrCreateResult } from "../../service/client";
import { quoted } from "../../text";
import { getOrAdd, type Resource } from "../../values";
import type { StoredGroup } from "../state/group";
import { fieldReasons } from "./warnings";

/** The error of a creation that found an existing group. Nothing is stored. */
export function creationError(
  subject: Subject,
  refusal:
    | { readonly row: "adoption-refused" | "still-shown" }
    | { readonly row: "wrong-group"; readonly by: Resource },
  providedId: string,
  result: Pick<GetOrCreateResult, "isPossiblyApplied">,
): UserGroupError {
  const said = creationMessage(refusal);
  const lost = result.isPossiblyApplied && note("creation-of-lost-response", { id: quoted(providedId) });
  // On a service that updates existing groups, get-or-create has stored the values of the refused request. A kept group has a doubt.
  const remedy = sentences(said.remedy, lost, note("updated-by-service"));
  // The refused group may be the one that an attempt of this run has created.
  return cannot(subject, { ...said, remedy }, said.code !== "adoption-refused");
}

function creationMessage(refusal: Parameters<typeof creationError>[1]): Message<ErrorCode> {
  switch (refusal.row) {
    case "adoption-refused":
      return message("exists-already");
    case "still-shown":
      return message("still-shown");
    case "wrong-group":
      return message("token-of-another", { resource: resourceName(refusal.by) });
  }
}

/** `resource "acme" of this program`, from an identity, which ends in `::<name>`. */
function resourceName(resource: Resource | undefined): string {
  const name = resource?.split("::").slice(1).join("::");
  return name ? `resource ${quoted(name)} of this program` : "another resource of this program";
}

/** Why a group may not be deleted: the row of the table, which is the code. The group and the state stay. `reason`: the text. */
export type DeleteRefusal =
  | { readonly row: "wrong-group" | "removed-elsewhere"; readonly by: Resource }
  | {
      readonly row: "mapping-conflict";
      readonly by: Resource;
      readonly reason: "has-other-mapping" | "declares-other-mapping";
    }
  | {
      readonly row: "move-unconfirmed";
      readonly by: Resource;
      readonly reason:
        "got-another-token" | "got-another-group" | "not-got-yet" | "deleted-first" | "in-its-time";
      /** The end of a former group's time: ISO 8601. */
      readonly until?: string | undefined;
    };

const deletionTexts = {
  "removed-elsewhere": "another-declares",
  "wrong-group": "token-in-other-group",
} as const;

/** The error of a deletion that other resources forbid, or what has replaced the resource `own`. */
export function deletionError(subject: Subject, refusal: DeleteRefusal, own: Resource): UserGroupError {
  const name = "reason" in refusal ? refusal.reason : deletionTexts[refusal.row];
  const until = "until" in refusal ? (refusal.until ?? "") : "";
  const isReplaced = refusal.by === own && name !== "in-its-time";
  const resource = isReplaced ? `the replacement of ${resourceName(own)}` : resourceName(refusal.by);
  return cannot(subject, message(name, { resource, until }));
}

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
  const { providedId, userGroupId, dataSourceProvidedId } = stored;
  const id = quoted(providedId);
  const dataSource = note(dataSourceProvidedId === undefined ? "set-data-source" : "check-data-source");
  const idInService = providedId !== userGroupId && !isFormer && note("id-in-service", { id });
  const refresh = note("refresh-first");
  const remedies: Record<RefusedDeletion, string> = {
    "same token": sentences(note("token-is-current"), dataSource),
    "other token": sentences(note("created-by-another"), idInService, refresh),
    "possibly created": sentences(note("possibly-created-by-read", { id }), refresh),
    "not cleaned up": sentences(note("created-by-read"), idInService, refresh),
    "not known": sentences(note("token-may-be-stale"), dataSource, idInService),
  };
  const kept = note(isFormer ? "state-keeps-former" : "state-keeps-group");
  return withRemedy(error, sentences(kept, remedies[finding]), `${finding}, ${isFormer}`);
}

/** Of an argument or an operation that the setting `changes` doesn't allow. */
export function settingConflict(
  subject: Subject,
  text: "adopt-with-update" | "lookup-with-update" | "import-with-update" | "update-with-replace",
): UserGroupError {
  return cannot(subject, message(text));
}

/** The group wasn't created, because the service still has it. The state keeps it, but the refused request may have updated it. */
export class RetainedGroupError extends UserGroupError {
  readonly group: StoredGroup;

  constructor(subject: Subject, kept: StoredGroup) {
    super("replacement-retained", cannot(subject, message("deletion-skipped")).sentence);
    this.group = { ...kept, adopted: true, doubt: true };
  }
}

/** A creation failed after the deletion of the same group. */
export class NotRecreatedError extends UserGroupError {}

/** Adds to the error of a creation that the group was deleted before. */
export function notRecreated(error: UserGroupError): UserGroupError {
  if (error instanceof NotRecreatedError) return error;
  const added = note(error.isPossiblyApplied ? "recreated-perhaps" : "not-recreated");
  const facts = { ...error.facts, cause: `not recreated: ${error.causeKey}` };
  return new NotRecreatedError(error.code, sentences(error.facts.problem ?? error.sentence, added), facts);
}

/** A lookup of a group that doesn't exist. `isCleanedUp`: the group that the request created was deleted again. */
export function noSuchGroup(subject: Subject, isCleanedUp: boolean): UserGroupError {
  const result = isCleanedUp ? "it was deleted again" : "its deletion failed, so it exists now";
  const said = message("read-created", { result });
  const remedy = sentences(said.remedy, !isCleanedUp && note("delete-what-the-read-created"));
  return cannot(subject, { ...said, remedy });
}

/** A lookup found the group by an attempt after one whose response was lost. */
export function possiblyCreated(subject: Subject): UserGroupError {
  return cannot(subject, message("read-possibly-created"));
}

/** `hasMapping`: the request had another mapping too, which no response shows. `isInPart`: a part of it may have been applied. */
export function updateNotApplied(
  subject: Subject,
  names: readonly string[],
  { hasMapping, isInPart }: { readonly hasMapping: boolean; readonly isInPart: boolean },
) {
  const fields = names.join(" and ");
  const mapping = hasMapping ? ` ${note("mapping-may-be-stored")}` : "";
  return cannot(subject, message("previous-values", { fields, mapping }), isInPart);
}

/** A doubt about an earlier request: the service has another group. The state has it now, and the planned change wasn't begun. */
export function anotherGroupFound(subject: Subject): UserGroupError {
  return cannot(subject, message("another-group"));
}

/** A creation with overlap had no response. `providedId`: the ID that it requested. */
export function creationNotConfirmed(error: UserGroupError, providedId: string): UserGroupError {
  return new UserGroupError(
    error.code,
    sentences(
      error.facts.problem ?? error.sentence,
      note("creation-not-confirmed", { id: quoted(providedId) }),
    ),
    // The same change finds it, so the state has no doubt.
    { cause: `not confirmed: ${error.causeKey}`, isOfOneRequest: error.facts.isOfOneRequest ?? false },
  );
}

/**
 * The proof of an account, see deployment/proof.ts. `groups`: those of a state, of which the first were read. `traces`: what the reads, and
 * creations before them, may have left in another account.
 */
export function nothingFound(
  subject: string,
  groups: readonly GroupName[],
  traces: Readonly<Record<"possiblyCreated" | "possiblyWritten" | "unchecked", readonly GroupName[]>>,
): UserGroupError {
  const left = leftByReads(traces);
  const isLeft = left !== "";
  const said = message("not-as-in-state", {
    subject,
    groups: namesOf(groups.slice(0, 3)),
    left: sentences(note(isLeft ? "nothing-recorded" : "nothing-left"), left),
  });
  return errorOf({ ...said, remedy: sentences(said.remedy, createdBefore(traces)) });
}

/** A read of a proof failed, so the account isn't known. */
export function notProven(error: UserGroupError, traces: Parameters<typeof nothingFound>[2]): UserGroupError {
  const { code, sentence, facts } = error;
  return new UserGroupError(code, sentences(sentence, leftByReads(traces), createdBefore(traces)), facts);
}

function leftByReads({ possiblyCreated, possiblyWritten }: Parameters<typeof nothingFound>[2]): string {
  return sentences(
    possiblyCreated.length > 0 && note("read-may-have-created", { groups: namesOf(possiblyCreated) }),
    possiblyWritten.length > 0 && note("read-may-have-written", { groups: namesOf(possiblyWritten) }),
  );
}

function createdBefore({ unchecked }: Parameters<typeof nothingFound>[2]): string {
  const stay = unchecked.length === 1 ? "stays" : "stay";
  return unchecked.length > 0 ? note("created-before", { groups: namesOf(unchecked), stay }) : "";
}

/** check: another resource declares the groups. */
export function declaredTwice(groups: readonly GroupName[], by: Resource): string {
  const places = { groups: namesOf(groups), resource: resourceName(by), them: pronoun(groups) };
  return textWithCode(message("declared-by-two", places));
}

const moveTexts = {
  "removed-elsewhere": "removes-what-another-declares",
  "mapping-conflict": "leaves-for-other-mapping",
} as const;

/** A customer that resource `from`, a `UserGroups`, removes from the program, and that resource `by` declares. */
export interface RefusedMove {
  readonly code: keyof typeof moveTexts;
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
    return first ? [moveError(same, first)] : [];
  });
  return all.sort((one, other) => (one.code > other.code ? -1 : 1));
}

function moveError(groups: readonly GroupName[], { code, from, by }: RefusedMove): UserGroupError {
  const resources = { from: resourceName(from), resource: resourceName(by) };
  return errorOf(message(moveTexts[code], { ...resources, groups: namesOf(groups), them: pronoun(groups) }));
}

function pronoun(groups: readonly unknown[]): string {
  return groups.length === 1 ? "it" : "them";
}

/** Counts the customers whose group is deleted, and those who get a new token by a deletion. */
export function aboveDeletionLimit(
  changes: readonly (GroupName & { readonly is: string; readonly because?: readonly string[] })[],
  limit: number,
  text: "limit-of-change" | "limit-of-departure" | "limit-of-replacement" | "limit-of-state",
): UserGroupError {
  const recreated = changes.filter(({ is }) => is !== "leave");
  const noun = changes.length === 1 ? "user group" : "user groups";
  const groups = `${changes.length} ${noun} (${firstFew(changes)})`;
  const which = recreated.length === changes.length ? "" : `${recreated.length} of them `;
  const again =
    recreated.length > 0
      ? `, ${which}to create ${pronoun(recreated)} again with a new token, ${fieldReasons(recreated)}`
      : "";
  return errorOf(message(text, { groups, again, limit }));
}

/** The program leaves out guards that the state has. */
export function guardDropped(guards: readonly string[]): UserGroupError {
  return errorOf(message("guard-left-out", { guards: guards.join(" and "), them: pronoun(guards) }));
}

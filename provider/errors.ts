/** Errors for people, and how they name groups. Their texts are in messages/catalogue.ts. */
import type { ErrorCode } from "./messages/catalogue";
import { message, sentenceOf, sentences, type Message } from "./messages/message";
import { escaped, escapedLines, quoted } from "./text";

/** A group as messages name it. */
export interface GroupName {
  readonly userGroupId: string;
}

export interface Subject extends GroupName {
  readonly operation: "create" | "read" | "update" | "delete";
  /** The name of the explicit provider that has the settings of the service. */
  readonly provider?: string | undefined;
}

export interface ErrorFacts {
  /** The message without its remedy. */
  readonly problem?: string;
  /** Equal for errors of one cause: it contains no name of a group and no number of attempts. */
  readonly cause?: string;
  /** The service may have applied a request of the operation, so the state may be out of date. */
  readonly isPossiblyApplied?: boolean;
  /** The cause is in this one request, such as its size, so requests about other groups may succeed. */
  readonly isOfOneRequest?: boolean;
}

/** A user-facing error. It contains no token, no property value and no body. Its stack is its message. */
export class UserGroupError extends Error {
  /** The message without the code. */
  readonly sentence: string;

  constructor(
    readonly code: ErrorCode,
    sentence: string,
    readonly facts: ErrorFacts = {},
  ) {
    const shown = escapedLines(sentence);
    super(withCode(code, shown));
    this.sentence = shown;
    this.name = "UserGroupError";
    this.stack = this.message;
  }

  get isPossiblyApplied(): boolean {
    return this.facts.isPossiblyApplied ?? false;
  }

  /** Equal for errors of one cause. An error without a cause of its own is compared by its message. */
  get causeKey(): string {
    return this.facts.cause ?? this.message;
  }

  /** The SDK prints `${error}: ${error.stack}`, which would print the message twice. */
  override toString(): string {
    return this.name;
  }
}

/** A text with the code of its section in docs/messages.md. */
function withCode(code: ErrorCode, text: string): string {
  return `${text}${text.endsWith("\n") ? "" : " "}[${code}]`;
}

/** An error that isn't about one group. */
export function errorOf(said: Message<ErrorCode>): UserGroupError {
  return new UserGroupError(said.code, sentenceOf(said));
}

/** The text of an error, with its code. */
export function textWithCode(said: Message<ErrorCode>): string {
  return withCode(said.code, sentenceOf(said));
}

/** The cause of a failure: its text in the message, and a key that is equal for the same cause of another group. */
export interface Cause {
  readonly text: string;
  readonly key: string;
}

/** What an error about a group says. A cause that is a string is the same for all groups. */
export interface Said extends Omit<Message<ErrorCode>, "cause"> {
  readonly cause: string | Cause;
}

/** `Cannot delete user group "acme": <cause>. <remedy>` */
export function cannot(
  subject: Subject,
  { code, cause, remedy }: Said,
  isPossiblyApplied = false,
): UserGroupError {
  const { text, key } = typeof cause === "string" ? { text: cause, key: cause } : cause;
  const problem = `Cannot ${subject.operation} ${nameOf(subject)}: ${text}.`;
  // Errors of one cause have one remedy, which says whether something may have been applied.
  const ofAll = JSON.stringify([code, subject.operation, key, isPossiblyApplied]);
  return new UserGroupError(code, sentences(problem, remedy), { problem, cause: ofAll, isPossiblyApplied });
}

export function ofOneRequest({ code, sentence, facts }: UserGroupError): UserGroupError {
  return new UserGroupError(code, sentence, { ...facts, isOfOneRequest: true });
}

/** The same error with another remedy. `key`: equal for errors of one cause that have the same remedy. */
export function withRemedy(error: UserGroupError, remedy: string, key: string): UserGroupError {
  const { code, sentence, facts, causeKey } = error;
  const cause = JSON.stringify([causeKey, key]);
  return new UserGroupError(code, `${facts.problem ?? sentence} ${remedy}`, { ...facts, cause });
}

/**
 * Turns an exception into a user-facing error. It omits the message of an unknown exception, which may contain a secret. An operation on a
 * group (`subject`) may have sent a request before.
 */
export function toUserGroupError(error: unknown, subject?: Subject): UserGroupError {
  if (error instanceof UserGroupError) return error;
  const [name, stack = ""] = error instanceof Error ? [error.name, error.stack] : ["exception"];
  const line = /^\s+at .*?([\w.-]+\.[cm]?[jt]s:\d+)/m.exec(stack)?.[1];
  const said = message("thrown", {
    error: `${escaped(name)} was thrown${line === undefined ? "" : ` at ${line}`}`,
  });
  if (subject) return cannot(subject, said, true);
  return errorOf({ ...said, cause: `Cannot continue: ${said.cause}` });
}

/** `user group "acme"`. One line for any ID. */
export function nameOf(group: GroupName): string {
  return namesOf([group]);
}

/** `user groups "a", "b" and 7 more` */
export function namesOf(groups: readonly GroupName[]): string {
  return `user group${groups.length === 1 ? "" : "s"} ${firstFew(groups)}`;
}

/** `"a", "b", "c" and 7 more`. Long IDs are cut. */
export function firstFew(groups: readonly GroupName[], limit = 5): string {
  const shown = groups.slice(0, limit).map(({ userGroupId }) => quoted(userGroupId));
  return shown.join(", ") + (groups.length > shown.length ? ` and ${groups.length - shown.length} more` : "");
}

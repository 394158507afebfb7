/** The errors that a person reads: what was tried, on which group, what came back, and what to do next. */

/** Every problem that an error can name, each with an entry in docs/troubleshooting.md. */
export const problemCodes = [
  "adoption-refused",
  "answer-invalid",
  "answer-too-large",
  "argument-invalid",
  "certificate-untrusted",
  "connection-failed",
  "deletion-limit",
  "host-not-found",
  "not-found",
  "package-not-found",
  "record-invalid",
  "redirected",
  "service-refused",
  "setting-invalid",
  "setting-missing",
  "timed-out",
  "unauthorized",
  "unexpected-status",
  "unfinished",
  "update-not-applied",
  "wrong-group",
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** A group, as messages name it. */
export interface Named {
  readonly userGroupId: string;
  readonly connection?: string | undefined;
}

/** What is tried, and on which group. */
export interface Subject extends Named {
  readonly operation: "create" | "read" | "update" | "delete";
}

/** An error for people. It holds no token, no value of a property and no body, and has no stack to print. */
export class UserGroupError extends Error {
  constructor(
    readonly code: ProblemCode,
    sentence: string,
  ) {
    super(`${sentence} [${code}]`);
    this.name = "UserGroupError";
    this.stack = this.message;
  }

  /** The SDK prints `${error}: ${error.stack}`, which would say everything twice. */
  override toString(): string {
    return this.name;
  }
}

/** `Cannot delete user group "acme": <cause>. <what to do>` */
export function cannot(subject: Subject, code: ProblemCode, cause: string, wayOut: string): UserGroupError {
  return new UserGroupError(code, `Cannot ${subject.operation} ${nameOf(subject)}: ${cause}. ${wayOut}`);
}

/** `user group "acme"`, and the connection where one is named. In one line, whatever the ID holds. */
export function nameOf({ userGroupId, connection }: Named): string {
  return (
    `user group ${JSON.stringify(userGroupId)}` +
    (connection === undefined ? "" : ` (connection "${connection}")`)
  );
}

/** `user groups "a", "b" and 7 more`, all of one connection. */
export function namesOf(groups: readonly Named[]): string {
  const [first, ...others] = groups;
  if (first === undefined) return "no user group";
  if (others.length === 0) return nameOf(first);
  const { connection } = first;
  const ids = firstFew(groups.map(({ userGroupId }) => userGroupId));
  return `user groups ${ids}` + (connection === undefined ? "" : ` (connection "${connection}")`);
}

/** `"a", "b", "c" and 7 more` */
export function firstFew(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).map((id) => JSON.stringify(id));
  const more = ids.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Shows a warning in the engine's output. */
export function warn(sentence: string): void {
  say(`warning: ${sentence}`);
}

/** Shows a line in the engine's output. The SDK's own log would put `[runtime]` before it. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

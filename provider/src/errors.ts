/** The errors that a person reads: what was tried, on which group, what came back, and what to do next. */

/** Every problem that an error can name, each with an entry in docs/troubleshooting.md. */
export type ProblemCode =
  | "adoption-refused"
  | "answer-invalid"
  | "answer-too-large"
  | "argument-invalid"
  | "certificate-untrusted"
  | "connection-failed"
  | "deletion-limit"
  | "host-not-found"
  | "not-found"
  | "record-invalid"
  | "redirected"
  | "service-refused"
  | "setting-invalid"
  | "setting-missing"
  | "timed-out"
  | "unauthorized"
  | "unexpected-status"
  | "update-not-applied"
  | "wrong-group";

/** What an operation of the service is tried on. */
export interface Subject {
  readonly operation: "create" | "read" | "update" | "delete";
  readonly userGroupId: string;
  readonly connection?: string | undefined;
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

/** `user group "acme"`, and the connection where one is named. */
export function nameOf({ userGroupId, connection }: Omit<Subject, "operation">): string {
  return `user group "${userGroupId}"` + (connection === undefined ? "" : ` (connection "${connection}")`);
}

/** Shows a warning in the engine's output. The SDK's own log would put `[runtime]` before it. */
export function warn(sentence: string): void {
  process.stderr.write(`warning: ${sentence}\n`);
}

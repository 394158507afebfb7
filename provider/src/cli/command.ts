/** What a command may use of the process it runs in. */
export interface Terminal {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Resolves when the user or the system asks the process to end; until the first call a signal ends it at once. */
  interrupted(): Promise<void>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A command of `npx pulumi-user-groups`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Resolves to the exit code; throws a `UsageError` where the arguments are wrong. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** The user typed something wrong: one line on standard error, exit code 2. */
export class UsageError extends Error {}

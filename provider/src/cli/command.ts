import { parseArgs, type ParseArgsConfig } from "node:util";

/** The parts of the process that a command uses. */
export interface Terminal {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Resolves at the first SIGINT or SIGTERM. Before the first call, a signal ends the process at once. */
  interrupted(): Promise<void>;
  /** Asks a question. Throws a `UsageError` without a terminal. */
  confirm(question: string): Promise<boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A command of `npx pulumi-user-groups`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  readonly help: string;
  /** Resolves to the exit code. Throws a `UsageError` for wrong arguments. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

export const hint = "see npx pulumi-user-groups --help";

/** The values of options. Throws a `UsageError` of one sentence. */
export function parseFlags<const T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ options: T }>>["values"] {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Node's later sentences explain how to pass a positional that starts with a dash, which no command takes.
    const [reason] = messageOf(error).split(/\.\s|\n/, 1);
    throw new UsageError(`${reason}; ${hint}`);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

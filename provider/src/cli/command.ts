/** What the commands share: the terminal, options, and errors of use. */
import { parseArgs } from "node:util";
import { escaped } from "../text";

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Writes text for another program as it is. Throws a `UsageError` if a person would see it. */
  pipe(text: string): void;
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP. Before the first call, a signal ends the process at once. */
  interrupted(): Promise<unknown>;
  /** Calls `listener` at each SIGUSR2. Windows has no such signal. */
  onSignal(listener: () => void): void;
  /** Asks a question. Throws a `UsageError` without a terminal. */
  confirm(question: string): Promise<boolean>;
  /** The whole of standard input. */
  readInput(): Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  readonly summary: string;
  /** Lists the options, each in a line that starts with two blanks. */
  readonly help: string;
  /** Resolves to the exit code. Throws a `UsageError` for wrong arguments. */
  run(flags: Flags, terminal: Terminal): Promise<number>;
}

/** The values of options, by name; empty for one without a value. */
export type Flags = ReadonlyMap<string, string>;

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

export const hint = "see npx pulumi-user-groups --help";

/** The options in `args`, of those in `help`. Throws a `UsageError` of one sentence. */
export function parseFlags(args: readonly string[], help: string): Flags {
  const options = [...help.matchAll(/^ {2}--([a-z-]+)( \S+)?/gm)].map(([, name = "", value]) => {
    return [name, { type: value === undefined ? "boolean" : "string" }] as const;
  });
  try {
    const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) });
    return new Map(
      Object.entries(values).map(([name, value]) => [name, value === true ? "" : String(value)]),
    );
  } catch (error) {
    // Node's later sentences explain how to pass a positional that starts with a dash, which no command takes.
    const [reason = ""] = messageOf(error).split(/\.\s|\n/, 1);
    throw new UsageError(`${escaped(reason)}; ${hint}`);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

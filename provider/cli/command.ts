/** What the commands share: the terminal, options with their help, and errors of use. */
import { parseArgs } from "node:util";
import type * as z from "zod";
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
  /** The whole of standard input. `what`: what it is, for a person who may have to type it. */
  readInput(what: string): Promise<string>;
  /** Whether standard input is a terminal. */
  readonly isInputTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Option {
  /** The word that stands for its value in the help. Undefined: the option has no value. */
  readonly value?: string;
  readonly text: string;
}

export type Options = Readonly<Record<string, Option>>;

export interface Command {
  readonly summary: string;
  /** A command line that uses it. */
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  readonly exitCodes: string;
  /** Resolves to the exit code. Throws a `UsageError` for wrong arguments. */
  run(flags: Flags, terminal: Terminal): Promise<number>;
}

/** The values of options, by name; empty for one without a value. */
export type Flags = ReadonlyMap<string, string>;

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

export const hint = "see npx --no -- pulumi-user-groups --help";

/** The options in `args`, of those in the table. Throws a `UsageError` of one sentence. */
export function parseFlags(args: readonly string[], options: Options): Flags {
  const types = Object.entries(options).map(([name, { value }]) => {
    return [name, { type: value === undefined ? "boolean" : "string" }] as const;
  });
  try {
    const { values } = parseArgs({ args: [...args], options: Object.fromEntries(types) });
    const given = Object.entries(values).map(([name, value]): [string, string] => {
      return [name, value === true ? "" : String(value)];
    });
    return new Map(given);
  } catch (error) {
    // Node's later sentences explain how to pass a positional that starts with a dash, which no command takes.
    const [reason = ""] = messageOf(error).split(/\.\s|\n/, 1);
    throw new UsageError(`${escaped(reason)}; ${hint}`);
  }
}

/** The value of an option. Throws a `UsageError` that names the option. */
export function valueOfFlag<Value>(flags: Flags, name: string, schema: z.ZodType<Value>): Value {
  const { success, data, error } = schema.safeParse(flags.get(name));
  if (success) return data;
  throw new UsageError(`--${name}: ${error.issues[0]?.message}`);
}

export function helpOf({ usage, about, options, exitCodes }: Command): string {
  const listed = listOptions({ ...options, help: { text: "show this" } });
  return `Usage: ${usage}\n\n${about}\n\n${listed}\n\nExit codes: ${exitCodes}.`;
}

/** A line for each option, whose text begins in one column. */
function listOptions(options: Options): string {
  const lines = Object.entries(options).map(([name, { value, text }]) => {
    return { left: value === undefined ? `  --${name}` : `  --${name} ${value}`, text };
  });
  const column = Math.max(...lines.map(({ left }) => left.length)) + 2;
  const indented = (text: string) => text.replaceAll("\n", `\n${" ".repeat(column)}`);
  return lines.map(({ left, text }) => left.padEnd(column) + indented(text)).join("\n");
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

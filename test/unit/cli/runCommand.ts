import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { main } from "../../../provider/cli";
import type { Terminal } from "../../../provider/cli/command";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What is for another program. */
  readonly piped: string;
}

export interface CommandOptions {
  readonly environment?: Terminal["environment"];
  /** Standard input. */
  readonly input?: string;
  /** Whether a person types it. Default: no. */
  readonly isInputTerminal?: boolean;
  /** The answer to a question. Default: yes. */
  readonly confirmed?: boolean;
  /** Resolves when the command is interrupted. Default: at its first line. */
  readonly interrupted?: (firstLine: Promise<string>) => Promise<unknown>;
}

/** Runs `npx --no pulumi-user-groups <args>` in this process. Asserts that it prints no secret: those of the tests are called `t0ken`. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { environment = {}, input = "", isInputTerminal = false, confirmed = true } = options;
  const { interrupted = (line: Promise<string>) => line } = options;
  const printed: Record<"out" | "err" | "piped", string[]> = { out: [], err: [], piped: [] };
  const output = new EventEmitter();
  const firstLine = once(output, "line").then(([line]) => String(line));
  const code = await main(args, {
    out: (line) => {
      printed.out.push(line);
      output.emit("line", line);
    },
    err: (line) => void printed.err.push(line),
    pipe: (text) => void printed.piped.push(text),
    interrupted: () => interrupted(firstLine),
    onSignal: () => undefined,
    confirm: () => Promise.resolve(confirmed),
    readInput: () => Promise.resolve(input),
    isInputTerminal,
    environment,
  });
  const out = printed.out.join("\n");
  const err = printed.err.join("\n");
  assert.doesNotMatch(out + err, /t0ken|BEGIN/);
  return { code, out, err, piped: printed.piped.join("") };
}

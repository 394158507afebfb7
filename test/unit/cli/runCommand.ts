import { EventEmitter, once } from "node:events";
import { main } from "../../../provider/src/cli";
import type { Terminal } from "../../../provider/src/cli/command";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What is for another program. */
  readonly piped: string;
}

interface CommandOptions {
  readonly environment?: Terminal["environment"];
  /** Called with the output of a command that waits for its interruption. The command ends after it. */
  readonly meanwhile?: (out: string) => Promise<void>;
  /** Default: when `meanwhile` has ended. */
  readonly interrupted?: Promise<void>;
  /** Standard input. */
  readonly input?: string;
  /** The answer to a question. Default: yes. */
  readonly confirmed?: boolean;
}

/** Runs `npx pulumi-user-groups <args>` in this process. */
export async function runCommand(
  args: readonly string[],
  {
    environment = {},
    meanwhile = () => Promise.resolve(),
    interrupted,
    confirmed = true,
    input = "",
  }: CommandOptions = {},
): Promise<CommandResult> {
  const lines: Record<"out" | "err", string[]> = { out: [], err: [] };
  const text = (name: "out" | "err") => lines[name].join("\n");
  let piped = "";
  const output = new EventEmitter();
  const code = await main(args, {
    out: (line) => {
      lines.out.push(line);
      output.emit("line");
    },
    err: (line) => void lines.err.push(line),
    pipe: (text) => {
      piped += text;
    },
    interrupted: () => interrupted ?? once(output, "line").then(() => meanwhile(text("out"))),
    onSignal: () => undefined,
    confirm: () => Promise.resolve(confirmed),
    readInput: () => Promise.resolve(input),
    environment,
  });
  return { code, out: text("out"), err: text("err"), piped };
}

/** Runs the `pulumi` on the PATH, which writes into a pipe to this process. */
import { exec, execFile, type ExecFileOptions } from "node:child_process";
import { promisify } from "node:util";
import { type Flags, UsageError } from "./command";

type Options = Pick<ExecFileOptions, "cwd" | "env">;

/**
 * Rejects if it fails. Each argument must be a plain word: on Windows, npm installs Pulumi as a script, which only a shell runs, and
 * Node.js 24 and newer warn of arguments beside a shell.
 */
export async function runPulumi(
  args: readonly string[],
  options: Options,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  // A state of ten thousand groups has more than the default, 1 MiB.
  const unlimited = { ...options, maxBuffer: Infinity };
  const { stdout } =
    platform === "win32"
      ? await promisify(exec)(["pulumi", ...args].join(" "), unlimited)
      : await promisify(execFile)("pulumi", args, unlimited);
  return stdout;
}

const stackName = /^\w[\w.-]*(\/\w[\w.-]*){0,2}$/;

/** The value of the option `--stack`. Throws a `UsageError` for a name that a shell could take for a command. */
export function stackIn(flags: Flags): string | undefined {
  const stack = flags.get("stack");
  if (stack === undefined || stackName.test(stack)) return stack;
  throw new UsageError("--stack: must be the name of a stack, such as dev or organization/project/dev");
}

/** What Pulumi printed of its failure; undefined: it isn't on the PATH, or printed nothing. Its standard output may have secrets. */
export function reasonOfPulumi(error: unknown): string | undefined {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  return /^error: (.*)/m.exec(output)?.[1];
}

/** The standard output of a run that failed. It may have secrets. */
export function printedBy(error: unknown): string {
  return error instanceof Error && "stdout" in error ? String(error.stdout) : "";
}

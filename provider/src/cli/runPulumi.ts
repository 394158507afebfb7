/** Runs the `pulumi` on the PATH. */
import { exec, execFile, type ExecFileOptions } from "node:child_process";
import { promisify } from "node:util";

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
  const { stdout } =
    platform === "win32"
      ? await promisify(exec)(["pulumi", ...args].join(" "), options)
      : await promisify(execFile)("pulumi", args, options);
  return stdout;
}

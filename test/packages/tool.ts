import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a command-line tool that the repository's package.json pins, and fails with what it printed. */
export async function runTool(name: string, args: readonly string[], cwd?: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1", CI: "", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
  return run(resolve(__dirname, "../../node_modules/.bin", name), args, { cwd, env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const printed = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
      throw new Error(`${name} ${args.join(" ")} failed:\n${printed}`, { cause: error });
    },
  );
}

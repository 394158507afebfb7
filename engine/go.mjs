// Runs Go in one of the modules of this folder, or in another folder.
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";

/** Returns Go's standard output. Throws if Go is missing or fails. */
export async function go(module, args, env) {
  const options = { cwd: resolve(import.meta.dirname, module), env: { GOWORK: "off", ...env } };
  const { code, stdout, output } = await run(["go", ...args], options).catch(explain);
  if (code !== 0) throw new Error(`go ${args[0]} failed in ${options.cwd}:\n${output.trim()}`);
  return stdout.trim();
}

function explain(error) {
  if (error.code !== "ENOENT") throw error;
  const needed = /^go (\S+)$/m.exec(fs.readFileSync(join(import.meta.dirname, "cli/go.mod"), "utf8"))[1];
  throw new Error(
    `This needs Go ${needed} or newer, and there is no "go" on the PATH. Install Go (https://go.dev/dl)`,
  );
}

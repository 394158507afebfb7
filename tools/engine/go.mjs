// Runs Go in one of the modules of this folder, or in another folder.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join, resolve } from "node:path";

/** Returns Go's standard output. Throws if Go is missing or fails. */
export function go(module, args, env) {
  const cwd = resolve(import.meta.dirname, module);
  const options = { cwd, env: { ...process.env, GOWORK: "off", ...env }, encoding: "utf8" };
  const { error, status, stdout, stderr } = spawnSync("go", args, { ...options, maxBuffer: 2 ** 26 });
  if (error?.code === "ENOENT") throw new Error(missing());
  if (error) throw error;
  if (status !== 0) throw new Error(`go ${args[0]} failed in ${cwd}:\n${(stdout + stderr).trim()}`);
  return stdout.trim();
}

function missing() {
  const needed = /^go (\S+)$/m.exec(fs.readFileSync(join(import.meta.dirname, "cli/go.mod"), "utf8"))[1];
  return `This needs Go ${needed} or newer, and there is no "go" on the PATH. Install Go (https://go.dev/dl)`;
}

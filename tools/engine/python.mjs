// Prints the folder of a Python executable that has Pulumi's Python SDK, at the versions of python/requirements.txt.
// Creates this environment if it is missing, which requires Python 3.10 or newer.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const requirements = join(import.meta.dirname, "python/requirements.txt");
const windows = process.platform === "win32";

const key = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex").slice(0, 12);
const environment = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "python", key);
const bin = join(environment, windows ? "Scripts" : "bin");
/** On other systems than Windows a link, which leads nowhere if the Python of the environment was removed. */
const python = join(bin, windows ? "python.exe" : "python");
/** Written last, because an incomplete environment must not be used. */
const complete = join(environment, "complete");

if (![complete, python].every((file) => fs.existsSync(file))) {
  fs.rmSync(environment, { recursive: true, force: true });
  run(windows ? "python" : "python3", "-m", "venv", environment);
  run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements);
  fs.writeFileSync(complete, "");
}
console.log(bin);

/** Shows what the command prints as errors: the standard output is this program's result. */
function run(command, ...args) {
  execFileSync(command, args, { stdio: ["ignore", process.stderr, process.stderr] });
}

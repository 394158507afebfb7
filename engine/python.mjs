// Prints the folder of a Python executable that has Pulumi's Python SDK, at the versions of python/requirements.txt.
// Creates this environment if it is missing.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./command.mjs";

const requirements = join(dirname(fileURLToPath(import.meta.url)), "python/requirements.txt");
const windows = process.platform === "win32";
const [command, executables] = windows ? ["python", "Scripts"] : ["python3", "bin"];

const key = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex").slice(0, 12);
const environments = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "python");
/** A link, created last: an environment can't be moved, and an incomplete one must not be found. */
const environment = join(environments, key);
const bin = join(environment, executables);

try {
  if (!isThere()) await make();
  console.log(bin);
} catch (error) {
  console.error(`Python environment: ${error.message}`);
  process.exitCode = 1;
}

/** Also false if the Python that created the environment was removed. */
function isThere() {
  return fs.existsSync(join(bin, windows ? "python.exe" : "python"));
}

async function make() {
  fs.mkdirSync(environments, { recursive: true });
  const made = fs.mkdtempSync(`${environment}-`);
  try {
    await python(command, ["-m", "venv", made]);
    const install = ["install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
    await python(join(made, executables, "python"), ["-m", "pip", ...install]);
    link(made);
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

async function python(executable, args) {
  const { code, output } = await run([executable, ...args], {}).catch(explain);
  if (code !== 0) throw new Error(`python ${args.slice(0, 2).join(" ")} failed:\n${output.trim()}`);
}

function explain(error) {
  if (error.code !== "ENOENT") throw error;
  throw new Error(
    `there is no "${command}" on the PATH. Install Python 3.10 or newer (https://www.python.org)`,
  );
}

/** Keeps the link of another run. */
function link(made) {
  if (isThere()) return fs.rmSync(made, { recursive: true });
  fs.rmSync(environment, { force: true });
  fs.symlinkSync(made, environment, "junction");
}

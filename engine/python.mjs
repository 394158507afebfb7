// Prints the folder of a Python executable that has Pulumi's Python SDK, at the versions of python/requirements.txt.
// Creates this environment if it is missing.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./command.mjs";

const requirements = join(import.meta.dirname, "python/requirements.txt");
const windows = process.platform === "win32";
const [command, executables] = windows ? ["python", "Scripts"] : ["python3", "bin"];

const key = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex").slice(0, 12);
const environment = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "python", key);
const bin = join(environment, executables);
/** Written last, because an incomplete environment must not be used. */
const complete = join(environment, "complete");

try {
  // The second file is a link, which leads nowhere if the Python of the environment was removed.
  if (![complete, join(bin, windows ? "python.exe" : "python")].every((file) => fs.existsSync(file))) {
    fs.rmSync(environment, { recursive: true, force: true });
    await python(command, "-m", "venv", environment);
    const install = ["install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
    await python(join(bin, "python"), "-m", "pip", ...install);
    fs.writeFileSync(complete, "");
  }
  console.log(bin);
} catch (error) {
  console.error(`Python environment: ${error.message}`);
  process.exitCode = 1;
}

async function python(...call) {
  const { code, output } = await run(call, {}).catch(explain);
  if (code !== 0) throw new Error(`${call.slice(0, 3).join(" ")} failed:\n${output.trim()}`);
}

function explain(error) {
  if (error.code !== "ENOENT") throw error;
  throw new Error(
    `there is no "${command}" on the PATH. Install Python 3.10 or newer (https://www.python.org)`,
  );
}

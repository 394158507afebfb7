// Makes a checkout ready to run: its packages, the built provider and the engine. It says what it does, and is quick and silent where all is
// there.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Throws where packages or build fail. Says whether the engine is there; without it much can still be tested, so that
 * is left to the caller.
 */
export function setUp({ withEngine = true, withLanguages = false } = {}) {
  if (!arePackagesInstalled()) {
    console.log("1 of 3: npm ci installs the packages of the clone, which takes about a minute.");
    if (!runs("npm", ["ci"])) throw new Error("npm ci failed");
    console.log("2 of 3: the provider is built.");
  }
  if (!runs("npm", ["run", "--silent", "build"])) throw new Error("The provider doesn't build");
  const flags = withLanguages ? ["--languages"] : [];
  return withEngine && runs(process.execPath, ["tools/engine/install.mjs", ...flags]);
}

/** npm keeps beside the packages a list of what it installed; optional ones may be for other systems. */
function arePackagesInstalled() {
  const installed = lockedPackages("node_modules/.package-lock.json");
  return Object.entries(lockedPackages("package-lock.json"))
    .filter(([path, { optional, devOptional }]) => path !== "" && !optional && !devOptional)
    .every(([path, { version }]) => path in installed && installed[path].version === version);
}

function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(join(repository, file), "utf8")).packages;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return {};
  }
}

/** On Windows npm is a script, which takes a shell to start. */
function runs(command, args) {
  const shell = process.platform === "win32" && command === "npm";
  return spawnSync(command, args, { cwd: repository, stdio: "inherit", shell }).status === 0;
}

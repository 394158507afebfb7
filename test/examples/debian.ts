import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";

/**
 * Makes sure of commands before the tests of the `describe` that calls it. CI installs missing ones, as packages of the same name.
 * Elsewhere the tests are left out.
 */
export function withCommands(...names: string[]): void {
  before(names.join(", "), function () {
    const missing = names.filter((name) => !isThere(name) && !(installs(name) && isThere(name)));
    if (missing.length === 0) return;
    assert.notEqual(process.env["CI"], "true", `${missing.join(", ")} can't be installed`);
    console.log(`      left out: there is no ${missing.join(", ")}`);
    this.skip();
  });
}

function isThere(name: string): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}

/** With the package manager of Debian and its like, which takes root; on a machine of CI's, not on a developer's. */
export function installs(debianPackage: string): boolean {
  const mayInstall = process.env["CI"] === "true" && process.getuid?.() === 0;
  if (!mayInstall || !existsSync("/usr/bin/apt-get")) return false;
  console.log(`      installing ${debianPackage}`);
  return (
    aptGet("update", "-qq") && aptGet("install", "-qq", "--yes", "--no-install-recommends", debianPackage)
  );
}

/** One at a time: tests run in several processes, and apt-get fails if another one is at work. */
function aptGet(...args: string[]): boolean {
  const lock = join(tmpdir(), "user-groups-apt.lock");
  const { status } = spawnSync("flock", [lock, "apt-get", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return status === 0;
}

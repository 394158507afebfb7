import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";

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

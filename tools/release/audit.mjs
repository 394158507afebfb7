// `npm run audit [-- --required]`: fails if a package that ours contains has a known vulnerability of level moderate or worse.
// If the audit service can't be reached, it says so, and fails with --required.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");
const contained = new Set(["dist", "plugin"].flatMap(packagesIn));
const { stdout, stderr } = spawnSync("npm", ["audit", "--json", "--audit-level=none"], {
  cwd: repository,
  encoding: "utf8",
  shell: process.platform === "win32",
});
const { vulnerabilities, message } = parsed(stdout);
if (vulnerabilities === undefined) notAudited(message ?? stderr);
else report(Object.values(vulnerabilities));

/** The names in the list of the licenses of a bundle. */
function packagesIn(bundle) {
  const licenses = readFileSync(join(repository, bundle, "LICENSES.txt"), "utf8");
  return [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+\S*: /gm)].map(([, name]) => name);
}

function parsed(text) {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return { message: "npm audit printed no JSON" };
  }
}

function notAudited(reason) {
  console.log(`Not audited: ${reason}`);
  if (process.argv.includes("--required")) process.exitCode = 1;
}

function report(all) {
  const found = all.filter(
    ({ name, severity }) => contained.has(name) && /^(moderate|high|critical)$/.test(severity),
  );
  for (const { name, severity } of found) console.log(`${severity}: ${name}`);
  console.log(
    `Audited ${contained.size} packages: ${found.length} with vulnerabilities of level moderate or worse.`,
  );
  if (found.length > 0) process.exitCode = 1;
}

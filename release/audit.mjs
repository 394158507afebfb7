// `npm run audit`: fails if a package that ours contains, or needs, has a known vulnerability of level high or critical. It passes,
// with a message, if the audit service can't be reached.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..");
const licenses = readFileSync(join(repository, "plugin/LICENSES.txt"), "utf8");
const contained = [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+\S*: /gm)].map(([, name]) => name);

const { stdout, stderr } = spawnSync("npm", ["audit", "--json", "--audit-level=none"], {
  cwd: repository,
  encoding: "utf8",
  shell: process.platform === "win32",
});
const { vulnerabilities, message } = JSON.parse(stdout || "{}");
if (!vulnerabilities) console.log(`Not audited: ${message ?? stderr}`);
else {
  const found = Object.values(vulnerabilities).filter(
    ({ name, severity }) => contained.includes(name) && /^(high|critical)$/.test(severity),
  );
  for (const { name, severity } of found) console.log(`${severity}: ${name}`);
  console.log(
    `Audited ${contained.length} packages: ${found.length} with vulnerabilities of level high or worse.`,
  );
  if (found.length > 0) process.exitCode = 1;
}

// `npm run audit`: looks the packages that ours brings along up among known vulnerabilities. What follows goes to npm.
// Fails where one of level high or worse is found; says so, and passes, where the audit service can't be asked.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const args = ["audit", "--omit=dev", "--audit-level=high", "--json", ...process.argv.slice(2)];
/** On Windows npm is a script, which takes a shell to start. */
const { status, stdout, stderr } = spawnSync("npm", args, {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  shell: process.platform === "win32",
  stdio: ["ignore", "pipe", "pipe"],
});
const { vulnerabilities, statusCode, message = "" } = parsed(stdout);
if (vulnerabilities) show(Object.values(vulnerabilities));
else if (statusCode !== undefined) skip(`status ${statusCode}`);
else if (/^request to .* failed/.test(message)) skip(/\bE[A-Z]+\b/.exec(message)?.[0] ?? "no answer");
else fail();

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function show(found) {
  for (const { name, severity, via } of found) {
    const advisories = via.map((cause) => cause.url ?? `by ${cause}`);
    console.log(`${severity}: ${name} ${advisories.join(", ")}`);
  }
  const verdict = status === 0 ? "none of level high or worse" : "what is high or critical must go";
  console.log(`Audited: ${found.length} packages with known vulnerabilities, ${verdict}.`);
  process.exitCode = status;
}

/** The service's answer isn't shown: it may be anything. */
function skip(reason) {
  console.log(`Not audited: the audit service can't be asked (${reason}).`);
}

function fail() {
  console.error(`npm audit failed:\n${stderr}${stdout}`);
  process.exitCode = 1;
}

// `npm run audit`: looks up known vulnerabilities of the package's dependencies. Passes further arguments to npm.
// Fails if it finds one of level high or critical. Prints a notice and passes if the audit service isn't available.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const args = ["audit", "--omit=dev", "--audit-level=high", "--json", ...process.argv.slice(2)];
/** On Windows, npm is a script, which needs a shell. */
const { status, stdout, stderr } = spawnSync("npm", args, {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  shell: process.platform === "win32",
  stdio: ["ignore", "pipe", "pipe"],
});
const { vulnerabilities, statusCode, message = "" } = parsed(stdout);
if (vulnerabilities) show(Object.values(vulnerabilities));
else if (statusCode !== undefined) skip(`status ${statusCode}`);
else if (/^request to .* failed/.test(message)) skip(/\bE[A-Z]+\b/.exec(message)?.[0] ?? "no response");
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
  const verdict = status === 0 ? "none of level high or critical" : "update those of level high and critical";
  console.log(`Audited: ${found.length} packages with known vulnerabilities, ${verdict}.`);
  process.exitCode = status;
}

/** Doesn't print the response, because its content is unknown. */
function skip(reason) {
  console.log(`Not audited: the audit service isn't available (${reason}).`);
}

function fail() {
  console.error(`npm audit failed:\n${stderr}${stdout}`);
  process.exitCode = 1;
}

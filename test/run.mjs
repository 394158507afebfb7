// `npm test`: the checks of every change. With a name, such as `npm run test:engine`: that one; further arguments go to mocha, and
// files among them replace the check's own. A run without a test fails.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { repository, setUp } from "../engine/setup.mjs";

const engine = { needsEngine: true };
const languages = { needsEngine: true, needsLanguages: true };
const whole = { env: { RELIABILITY: "whole" } };
/** An engine waits for its processes now and then, so that one more than there are processors has its use. */
const parallel = { flags: ["--parallel", "--jobs", String(availableParallelism() + 1)] };

/** ESLint's cache doesn't see that a type of another file has changed, so .ci/run does without it. */
const eslintCache = [
  "--cache",
  "--cache-strategy",
  "content",
  "--cache-location",
  "node_modules/.cache/eslint/",
];

/** The contract suite with programs on the real engine. */
const contractOn = (driver, env = {}) =>
  tests("test/contract/*.test.ts", "600s", parallel, engine, { env: { ...env, CONTRACT: driver } });

const checks = {
  format: script("node_modules/prettier/bin/prettier.cjs", "--check", ".", "--cache"),
  eslint: script("node_modules/eslint/bin/eslint.js", ".", ...(process.env.CI === "true" ? [] : eslintCache)),
  knip: script("node_modules/knip/bin/knip.js", "--no-config-hints"),
  types: npm("types"),
  unit: tests("test/unit/**/*.test.ts", "20s"),
  docs: tests("test/docs/*.test.ts", "180s", parallel),
  contract: tests("test/contract/*.test.ts", "60s", parallel),
  commands: tests("test/commands/*.test.ts", "900s", engine),
  engine: tests("test/engine/*.test.ts", "180s", parallel, engine),
  small: tests("test/small/small.test.ts", "900s"),
};

/** The first ones take long and one processor only, so the others run beside them. */
const beside = [
  ["eslint", "small"],
  ["format", "knip", "types", "unit", "docs", "contract"],
];

/** Run by name. */
const longChecks = {
  content: tests("test/packages/content.test.ts", "180s"),
  site: npm("site"),
  "contract:engine": contractOn("engine"),
  "engine:long": tests("test/engine/long/*.test.ts", "900s", parallel, languages),
  kills: tests("test/kills/*.test.ts", "600s", engine),
  demo: { ...script("--require", "ts-node/register", "test/demo/demo.ts"), ...engine },
  "contract:whole": contractOn("engine", whole.env),
  "contract:plugin": contractOn("engine with plugin", whole.env),
  "examples:whole": tests("test/examples/**/*.test.ts", "600s", parallel, languages),
  "commands:whole": { ...checks.commands, ...whole },
  "small:whole": tests("test/small/*.test.ts", "3h", whole),
  breaks: tests("test/breaks/*.test.ts", "900s"),
  scale: tests("test/scale/*.test.ts", "2h", engine),
  importFile: tests("test/engine/long/importFile.test.ts", "900s", engine),
  migrations: tests("test/engine/long/migrations.test.ts", "900s", engine),
  packages: tests("test/packages/**/*.test.ts", "900s", parallel, engine),
  toxiproxy: tests("test/toxiproxy/*.test.ts", "300s"),
};
const allChecks = { ...checks, ...longChecks };

const groups = {
  lint: ["format", "eslint", "knip"],
  // Those of .ci/run beside `npm test`.
  change: ["content", "site", "demo", "contract:engine", "engine:long", "kills"],
  // Checks of other tools and versions, and long ones.
  release: [
    "contract:whole",
    "contract:plugin",
    "packages",
    "examples:whole",
    "commands:whole",
    "small:whole",
    "breaks",
    "scale",
    "toxiproxy",
  ],
};

const [only, ...mochaArgs] = process.argv.slice(2);
const named = groups[only] ?? [only].filter(Boolean);
const total = { passed: 0, failed: 0, skipped: 0 };
/** Said again at the end, because checks that run beside each other print much after a failure. */
const failures = [];
/** The programs keep their temporary files here, which goes whatever becomes of them. */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "user-groups-")));
const running = new Set();
let isStopped = false;
// A terminal sends its interrupt to the children as well; they end in their own time, and then this process does.
process.on("SIGINT", () => (isStopped = true));
process.on("SIGTERM", () => {
  isStopped = true;
  for (const child of running) child.kill("SIGTERM");
});
try {
  for (const name of named)
    if (!(name in allChecks))
      throw new Error(
        `There is no check "${name}", only ${Object.keys({ ...groups, ...allChecks }).join(", ")}`,
      );
  const isEngineThere = setUp({
    withEngine: named.length === 0 || named.some((name) => allChecks[name].needsEngine),
    withLanguages: named.some((name) => allChecks[name].needsLanguages),
  });
  const inTurn = async (names) => {
    for (const name of names) await check(name, isEngineThere);
  };
  if (named.length === 0) await Promise.all(beside.map(inTurn));
  await inTurn(
    named.length > 0 ? named : Object.keys(checks).filter((name) => !beside.flat().includes(name)),
  );
} catch (error) {
  console.error(error.message);
  total.failed += 1;
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
for (const failure of failures) console.log(`\n✖ ${failure}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Those of mocha at `spec`. */
function tests(spec, timeout, ...options) {
  const { flags = [], ...others } = Object.assign({}, ...options);
  const mocha = ["node_modules/mocha/bin/mocha.js", "--no-config", "--require", "ts-node/register"];
  const reporter = ["--reporter", "test/countingReporter.mjs"];
  return {
    ...script(...mocha, "--forbid-only", ...reporter, "--timeout", timeout, ...flags),
    spec,
    ...others,
  };
}

function script(...args) {
  return { command: process.execPath, args };
}

function npm(script) {
  return { command: "npm", args: ["run", "--silent", script] };
}

async function check(name, isEngineThere) {
  console.log(`\n# ${name}`);
  const start = Date.now();
  const {
    passed = 0,
    failed = 0,
    skipped = 0,
    errors = [],
  } = await outcomeOf(allChecks[name], isEngineThere);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(`${name} failed`, ...errors);
  console.log(`${name}: ${((Date.now() - start) / 60_000).toFixed(1)} minutes`);
}

async function outcomeOf({ command, args, spec, env, needsEngine }, isEngineThere) {
  if (needsEngine && !isEngineThere) {
    console.log("There is no engine (the reason is said above), so every test that needs it is left out.");
    return process.env.CI === "true" ? { failed: 1 } : { skipped: 1 };
  }
  const isFileNamed = mochaArgs.some((argument) => argument.endsWith(".ts"));
  const chosen = isFileNamed ? mochaArgs : [spec, ...mochaArgs];
  const { code, message } = await run(command, spec ? [...args, ...chosen] : args, env);
  if (message === undefined) return code === 0 && !spec ? { passed: 1 } : { failed: 1 };
  if (message.passed + message.failed + message.skipped === 0)
    return { failed: 1, errors: [`No test ran: ${chosen.join(" ")}`] };
  // Mocha can fail without a failed test, say by an error outside of any.
  return code === 0 ? message : { ...message, failed: Math.max(1, message.failed) };
}

/** Runs a command in the repository. Resolves to its exit code, and to the message that mocha's reporter sends. */
async function run(command, args, env) {
  if (isStopped) throw new Error("stopped");
  const child = spawn(command, args, {
    cwd: repository,
    env: { ...process.env, ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    shell: process.platform === "win32" && command === "npm",
  });
  running.add(child);
  let message;
  child.on("message", (received) => (message = received));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  running.delete(child);
  return { code, message };
}

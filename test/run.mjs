// `npm test`: the quick checks of every change. With a name, `npm test -- engine`, one suite; with a tag, `npm test -- engine kills`, that part of
// it. Further arguments go to mocha, and files among them replace the suite's own. A run without a test fails.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { repository, setUp } from "../tools/engine/setup.mjs";

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

/** Each suite answers one question. `quick` is what `npm test` runs of it; the others are its tags, run by name. */
const suites = {
  // Are form, types and dependencies as agreed?
  lint: {
    format: script("node_modules/prettier/bin/prettier.cjs", "--check", ".", "--cache"),
    eslint: script(
      "node_modules/eslint/bin/eslint.js",
      ".",
      ...(process.env.CI === "true" ? [] : eslintCache),
    ),
    knip: script("node_modules/knip/bin/knip.js", "--no-config-hints"),
    types: script("node_modules/typescript/bin/tsc", "--noEmit"),
  },
  // Does a part do what its comment says?
  unit: { quick: tests("test/unit/**/*.test.ts", "20s") },
  // Does the product behave as the pages say, by each way to drive it?
  contract: {
    quick: tests("test/contract/*.test.ts", "60s", parallel),
    engine: contractOn("engine"),
    plugin: contractOn("engine with plugin", whole.env),
    whole: contractOn("engine", whole.env),
  },
  // Does any short history of a stack lose something?
  histories: {
    quick: tests("test/histories/histories.test.ts", "900s"),
    whole: tests("test/histories/*.test.ts", "3h", whole),
  },
  // What does only the real engine show: its order, its kills, its states?
  engine: {
    quick: tests("test/engine/*.test.ts", "180s", parallel, engine),
    long: tests("test/engine/long/*.test.ts", "900s", parallel, languages),
    kills: tests("test/engine/kills/*.test.ts", "600s", engine),
    whole: tests("test/engine/*.test.ts", "900s", parallel, engine, whole),
  },
  // Do the examples, and the commands of the pages, work as they are printed?
  examples: {
    quick: tests("test/examples/commands/*.test.ts", "900s", engine),
    programs: tests("test/examples/{,long/}*.test.ts", "600s", parallel, languages),
    whole: tests("test/examples/commands/*.test.ts", "900s", engine, whole),
  },
  // Are the pages true: links, snippets, messages, figures, the site?
  pages: {
    quick: tests("test/pages/*.test.ts", "180s", parallel),
    site: script("node_modules/vitepress/bin/vitepress.js", "build", "docs"),
    // Needs Chromium.
    screens: tests("test/pages/screens/*.test.ts", "180s"),
  },
  // Can it be released: packages, versions, the power of the tests, size?
  release: {
    content: tests("test/release/packages/content.test.ts", "180s"),
    packages: tests("test/release/packages/**/*.test.ts", "900s", parallel, engine),
    breaks: tests("test/release/breaks/*.test.ts", "1h"),
    scale: tests("test/release/scale/*.test.ts", "2h", engine),
    toxiproxy: tests("test/release/toxiproxy/*.test.ts", "300s"),
    versions: { ...script("tools/release/versions.mjs"), takesArguments: true },
  },
  demo: { whole: { ...script("--require", "ts-node/register", "test/examples/demo/demo.ts"), ...engine } },
};

/** `lint eslint` → its check. A suite that stands alone is what `npm test` runs of it. */
const checks = Object.fromEntries(
  Object.entries(suites).flatMap(([suite, tags]) =>
    Object.entries(tags).map(([tag, check]) => [tag === "quick" ? suite : `${suite} ${tag}`, check]),
  ),
);
const ofSuite = (suite) => Object.keys(checks).filter((name) => name.startsWith(`${suite} `));

const groups = {
  lint: ofSuite("lint"),
  demo: ofSuite("demo"),
  // Those of .ci/run beside `npm test`.
  change: ["release content", "pages site", "demo whole", "contract engine", "engine long", "engine kills"],
  // Checks of other tools and versions, and long ones.
  release: [
    "contract whole",
    "contract plugin",
    "engine whole",
    "examples programs",
    "examples whole",
    "histories whole",
    "pages screens",
    ...ofSuite("release").filter((name) => name !== "release content"),
  ],
};

/** What `npm test` runs. The first ones take long and one processor only, so the others run beside them. */
const beside = [
  ["lint eslint", "histories"],
  ["lint format", "lint knip", "lint types", "unit", "pages", "contract"],
];
const last = ["examples", "engine"];

const { named, mochaArgs } = parseArguments(process.argv.slice(2));
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
    if (!(name in checks))
      throw new Error(
        `There is no suite "${name}", only ${Object.keys({ ...groups, ...checks }).join(", ")}`,
      );
  const isEngineThere = setUp({
    withEngine: named.length === 0 || named.some((name) => checks[name].needsEngine),
    withLanguages: named.some((name) => checks[name].needsLanguages),
  });
  const inTurn = async (names) => {
    for (const name of names) await check(name, isEngineThere);
  };
  if (named.length === 0) await Promise.all(beside.map(inTurn));
  await inTurn(named.length > 0 ? named : last);
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

/** `contract engine --grep overlap`: the names of suites, then what mocha gets. */
function parseArguments([suite, tag, ...rest]) {
  if (suite === undefined) return { named: [], mochaArgs: [] };
  const whole = `${suite} ${tag}`;
  if (whole in checks) return { named: [whole], mochaArgs: rest };
  const others = tag === undefined ? [] : [tag, ...rest];
  return { named: groups[suite] ?? [suite], mochaArgs: others };
}

/** Those of mocha at `spec`. */
function tests(spec, timeout, ...options) {
  const { flags = [], ...others } = Object.assign({}, ...options);
  const mocha = ["node_modules/mocha/bin/mocha.js", "--no-config", "--require", "ts-node/register"];
  const reporter = ["--reporter", "test/support/countingReporter.mjs"];
  return {
    ...script(...mocha, "--forbid-only", ...reporter, "--timeout", timeout, ...flags),
    spec,
    ...others,
  };
}

function script(...args) {
  return { command: process.execPath, args };
}

async function check(name, isEngineThere) {
  console.log(`\n# ${name}`);
  const start = Date.now();
  const { passed = 0, failed = 0, skipped = 0, errors = [] } = await outcomeOf(checks[name], isEngineThere);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(`${name} failed`, ...errors);
  console.log(`${name}: ${((Date.now() - start) / 60_000).toFixed(1)} minutes`);
}

async function outcomeOf({ command, args, spec, env, needsEngine, takesArguments }, isEngineThere) {
  if (needsEngine && !isEngineThere) {
    console.log("There is no engine (the reason is said above), so every test that needs it is left out.");
    return process.env.CI === "true" ? { failed: 1 } : { skipped: 1 };
  }
  const isFileNamed = mochaArgs.some((argument) => argument.endsWith(".ts"));
  const chosen = isFileNamed ? mochaArgs : [spec, ...mochaArgs];
  const added = spec ? chosen : takesArguments ? mochaArgs : [];
  const { code, message } = await run(command, [...args, ...added], env);
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
  });
  running.add(child);
  let message;
  child.on("message", (received) => (message = received));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  running.delete(child);
  return { code, message };
}

// `npm test`: the checks of every change. With a name, such as `npm run test:engine`: that one; further arguments go to mocha.
import { availableParallelism } from "node:os";
import { withScratch } from "./scratch.mjs";
import { setUp } from "./setup.mjs";

const mocha = [
  "node_modules/mocha/bin/mocha.js",
  "--no-config",
  "--require",
  "ts-node/register",
  "--forbid-only",
];
const reporter = ["--reporter", "test/countingReporter.mjs"];
/** An engine waits for its processes now and then, so that one more than there are processors has its use. */
const jobs = ["--parallel", "--jobs", String(availableParallelism() + 1)];

const checks = {
  lint: { command: "npm", args: ["run", "--silent", "lint"] },
  types: { command: "npm", args: ["run", "--silent", "types"] },
  unit: tests("test/unit/**/*.test.ts", ["--timeout", "20s"]),
  docs: tests("test/docs/*.test.ts", ["--timeout", "180s", ...jobs]),
  contract: tests("test/contract/*.test.ts", ["--timeout", "60s", ...jobs]),
  commands: { ...tests("test/commands/*.test.ts", ["--timeout", "900s"]), needsEngine: true },
  engine: { ...tests("test/engine/*.test.ts", ["--timeout", "180s", ...jobs]), needsEngine: true },
  small: tests("test/small/small.test.ts", ["--timeout", "900s"]),
};

/** The first ones take long and one processor only, so the others run beside them. */
const beside = [
  ["lint", "small"],
  ["types", "unit", "docs", "contract"],
];

/** Run by name: those of .ci/run first, then those before a release. */
const longChecks = {
  "contract:engine": contractOn("engine"),
  "contract:whole": whole(contractOn("engine")),
  "contract:plugin": whole(contractOn("engine with plugin")),
  "engine:long": {
    ...tests("test/engine/long/*.test.ts", ["--timeout", "900s", ...jobs]),
    needsEngine: true,
    needsLanguages: true,
  },
  "examples:whole": {
    ...tests("test/examples/**/*.test.ts", ["--timeout", "600s", ...jobs]),
    needsEngine: true,
    needsLanguages: true,
  },
  "commands:whole": whole(checks.commands),
  "small:whole": whole({ ...tests("test/small/*.test.ts", ["--timeout", "3h"]), needsEngine: true }),
  kills: whole({ ...tests("test/kills/*.test.ts", ["--timeout", "600s"]), needsEngine: true }),
  breaks: tests("test/breaks/*.test.ts", ["--timeout", "900s"]),
  scale: { ...tests("test/scale/*.test.ts", ["--timeout", "900s"]), needsEngine: true },
  "importFile:whole": whole({
    ...tests("test/engine/long/importFile.test.ts", ["--timeout", "900s"]),
    needsEngine: true,
  }),
  peer: { ...tests("test/peer/*.test.ts", ["--timeout", "300s"]), needsEngine: true },
  site: { command: "npm", args: ["run", "--silent", "site"] },
  demo: {
    command: process.execPath,
    args: ["--require", "ts-node/register", "test/demo/demo.ts"],
    needsEngine: true,
  },
  packages: { ...tests("test/packages/**/*.test.ts", ["--timeout", "900s", ...jobs]), needsEngine: true },
};
const allChecks = { ...checks, ...longChecks };

/** `npm run test:release`: checks of other tools and versions, and long ones. */
const releaseChecks = [
  "contract:whole",
  "contract:plugin",
  "packages",
  "peer",
  "site",
  "examples:whole",
  "commands:whole",
  "small:whole",
  "breaks",
  "scale",
  "importFile:whole",
];

/** Names of several checks, in rows that run beside each other. */
const suites = { release: [releaseChecks] };

const [only, ...mochaArgs] = process.argv.slice(2);
const rows = suites[only] ?? [[only].filter(Boolean)];
const named = rows.flat();
const total = { passed: 0, failed: 0, skipped: 0 };
/** Said again at the end, because checks that run beside each other print much after a failure. */
const failures = [];
try {
  for (const name of named)
    if (!(name in allChecks))
      throw new Error(
        `There is no check "${name}", only ${Object.keys({ ...suites, ...allChecks }).join(", ")}`,
      );
  const isEngineThere = setUp({
    withEngine: named.length === 0 || named.some((name) => allChecks[name].needsEngine),
    withLanguages: named.some((name) => allChecks[name].needsLanguages),
  });
  await withScratch(async (run) => {
    const inTurn = async (names) => {
      for (const name of names) {
        console.log(`\n# ${name}`);
        const start = Date.now();
        const outcome = await outcomeOf(allChecks[name], isEngineThere, run);
        add(outcome);
        if (outcome.failed > 0) failures.push(`${name} failed`, ...(outcome.errors ?? []));
        console.log(`${name}: ${((Date.now() - start) / 60_000).toFixed(1)} minutes`);
      }
    };
    if (named.length > 0) return Promise.all(rows.map(inTurn));
    await Promise.all(beside.map(inTurn));
    return inTurn(Object.keys(checks).filter((name) => !beside.flat().includes(name)));
  });
} catch (error) {
  console.error(error.message);
  add({ failed: 1 });
}
for (const failure of failures) console.log(`\n✖ ${failure}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function tests(spec, flags) {
  return { command: process.execPath, args: [...mocha, ...reporter, ...flags], spec };
}

/** The contract suite with programs on the real engine. */
function contractOn(driver) {
  const flags = ["--timeout", "600s", ...jobs];
  return { ...tests("test/contract/*.test.ts", flags), env: { CONTRACT: driver }, needsEngine: true };
}

function whole(check) {
  return { ...check, env: { RELIABILITY: "whole" } };
}

async function outcomeOf({ command, args, spec, env, needsEngine }, isEngineThere, run) {
  if (needsEngine && !isEngineThere) return withoutEngine();
  const files = mochaArgs.length > 0 ? mochaArgs : [spec];
  const { code, message } = await run(command, spec ? [...args, ...files] : args, env);
  if (message === undefined) return code === 0 && !spec ? { passed: 1 } : { failed: 1 };
  // Mocha can fail without a failed test, say by an error outside of any.
  return code === 0 ? message : { ...message, failed: Math.max(1, message.failed) };
}

function withoutEngine() {
  const isCI = process.env.CI === "true";
  console.log("There is no engine (the reason is said above), so every test that needs it is left out.");
  return isCI ? { failed: 1 } : { skipped: 1 };
}

function add({ passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

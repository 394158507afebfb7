/** Whether the tests notice a defect: each is built into a copy of the package, whose tests must then fail. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run, succeeds } from "../../support/harness/run";
import { testInLanes } from "../../support/lanes";
import { breaks, partsOf, type Break } from "./breaks";

const repository = resolve(__dirname, "../../..");
const files = [
  "package.json",
  "tsconfig.json",
  "dist",
  "docs",
  "plugin",
  "provider",
  "tools",
  "test",
  "examples",
];

/** Tests of mocha without an engine that can notice a defect. `sample`: so many of the small histories. Default: as `npm test`. */
interface Suite {
  readonly args: readonly string[];
  readonly sample?: number;
}

/**
 * The quickest first: of the unit tests, those of the defect's folder. The small histories take a minute, so they are the last, after a few
 * of them.
 */
function suitesFor({ file }: Pick<Break, "file">): Suite[] {
  const [folder = ""] = file.split("/");
  const unit = folder.endsWith(".ts") ? folder.replace(".ts", ".test.ts") : `${folder}/**/*.test.ts`;
  const ofContract = (titles: string) => ({ args: ["test/contract/*.test.ts", "--grep", titles] });
  const suites: Suite[] = [{ args: [`test/unit/${unit}`] }];
  if (file.startsWith("adapters/plugin/")) suites.push(ofContract("plugin"));
  else suites.push(ofContract("\\(provider\\)|contract: the plugin"));
  const args = ["test/histories/histories.test.ts"];
  if (folder !== "cli") suites.push({ args, sample: 500 }, { args });
  return suites;
}

describe("the contract suite and the unit tests", () => {
  it("are green without a defect", () =>
    inCopy(async (copy) => {
      const suites = new Map(breaks.flatMap(suitesFor).map((suite) => [JSON.stringify(suite), suite]));
      for (const suite of suites.values()) assert.deepEqual(await failedTests(copy, suite), []);
    }));

  testInLanes(breaks, {
    lanes: availableParallelism(),
    title: ({ rule }) => `fail without the rule "${rule}"`,
    test: (defect) =>
      inCopy(async (copy) => {
        await build(defect, copy);
        for (const suite of suitesFor(defect)) if ((await failedTests(copy, suite)).length > 0) return;
        assert.fail("No test has failed");
      }),
  });
});

async function inCopy(use: (copy: string) => Promise<void>): Promise<void> {
  const copy = await fs.mkdtemp(join(tmpdir(), "user-groups-break-"));
  try {
    for (const file of files) await fs.cp(join(repository, file), join(copy, file), { recursive: true });
    await fs.symlink(join(repository, "node_modules"), join(copy, "node_modules"));
    await use(copy);
  } finally {
    await fs.rm(copy, { recursive: true });
  }
}

async function build(defect: Break, copy: string): Promise<void> {
  const { file, replacement } = defect;
  await fs.writeFile(join(copy, "provider", file), partsOf(defect).join(replacement));
  if (/^(core|adapters)\//.test(file))
    succeeds(await run(process.execPath, ["tools/release/build.mjs"], { cwd: copy }));
}

/** The titles of the tests that have failed, up to the first. Throws if none has run. */
async function failedTests(copy: string, { args, sample }: Suite): Promise<string[]> {
  const mocha = ["node_modules/mocha/bin/mocha.js", "--no-config", "--require", "ts-node/register", "--bail"];
  const options = ["--reporter", "tap", "--timeout", "600s", "--exit"];
  const env = { ...process.env, TS_NODE_TRANSPILE_ONLY: "true", ...(sample && { SAMPLE: String(sample) }) };
  const { output } = await run(process.execPath, [...mocha, ...options, ...args], { cwd: copy, env });
  // Not each folder has unit tests.
  if (output.includes("No test files found") && args[0]?.startsWith("test/unit/")) return [];
  assert.match(output, /^(not )?ok 1 /m, output);
  return [...output.matchAll(/^not ok \d+ (.*)$/gm)].map(([, title = ""]) => title);
}

/** Whether the tests notice a defect: each is built into a copy of the package, whose tests must then fail. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ended } from "../harness/ended";
import { testInLanes } from "../lanes";
import { breaks, type Break } from "./breaks";

const repository = resolve(__dirname, "../..");
const files = ["package.json", "tsconfig.json", "provider/src", "test", "examples"];

/** The contract suite with the provider in the test's process, and the unit tests of the same rules. */
const suites = [
  ["test/contract/*.test.ts", "--grep", "\\(provider\\)"],
  ["test/unit/{core,dynamic,service,settings}/**/*.test.ts", "test/unit/values.test.ts"],
];

describe("the contract suite and the unit tests", () => {
  it("are green without a defect", () =>
    inCopy(async (copy) => {
      for (const suite of suites) assert.deepEqual(await failedTests(copy, suite), []);
    }));

  testInLanes(breaks, {
    lanes: availableParallelism(),
    title: ({ rule }) => `fail without the rule "${rule}"`,
    test: (defect) =>
      inCopy(async (copy) => {
        await build(defect, copy);
        for (const suite of suites) if ((await failedTests(copy, suite)).length > 0) return;
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

async function build({ file, code, replacement }: Break, copy: string): Promise<void> {
  const path = join(copy, "provider/src", file);
  const parts = (await fs.readFile(path, "utf8")).split(code);
  assert.equal(parts.length, 2, `${file} has this ${parts.length - 1} times: ${code}`);
  await fs.writeFile(path, parts.join(replacement));
}

/** The titles of the tests that have failed, up to the first. Throws if none has run. */
async function failedTests(copy: string, suite: readonly string[]): Promise<string[]> {
  const args = ["node_modules/mocha/bin/mocha.js", "--no-config", "--require", "ts-node/register", "--bail"];
  const reporter = ["--reporter", "tap", "--timeout", "60s", "--exit"];
  const child = spawn(process.execPath, [...args, ...reporter, ...suite], {
    cwd: copy,
    env: { ...process.env, TS_NODE_TRANSPILE_ONLY: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { output } = await ended(child);
  assert.match(output, /^(not )?ok 1 /m, output);
  return [...output.matchAll(/^not ok \d+ (.*)$/gm)].map(([, title = ""]) => title);
}

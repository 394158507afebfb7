import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join, resolve } from "node:path";

/** GitHub has it since May 2026, actionlint 1.7.12 doesn't know it. */
const newer = 'unexpected key "queue" for "concurrency" section';

/** Built from the Go module beside this folder, which takes Go. */
describe("the examples' workflows for GitHub", () => {
  const lint = (...args: string[]) =>
    spawnSync("go", ["tool", "actionlint", "-no-color", "-ignore", newer, ...args], {
      cwd: resolve(__dirname, "../actionlint"),
      encoding: "utf8",
    });

  before("Go", function () {
    if (spawnSync("go", ["version"]).status === 0) return;
    assert.notEqual(process.env["CI"], "true", "There is no Go");
    console.log("      left out: there is no Go to build actionlint with");
    this.skip();
  });

  for (const workflows of [
    "pipeline/.github/workflows",
    "pipeline/forks/.github/workflows",
    "shards/.github/workflows",
  ])
    it(`are as GitHub and the actions that they use want them: ${workflows}`, () => {
      const folder = resolve(__dirname, "../../../examples", workflows);
      const { status, stdout, stderr } = lint(...fs.readdirSync(folder).map((name) => join(folder, name)));
      assert.equal(status, 0, stdout + stderr);
    });
});

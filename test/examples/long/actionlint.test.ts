import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { run, succeeds } from "../../harness/run";

const examples = resolve(__dirname, "../../../examples");

/** GitHub has it since May 2026, actionlint 1.7.12 doesn't know it. */
const newer = 'unexpected key "queue" for "concurrency" section';

/** Built from the Go module beside this folder, which takes Go. */
describe("the examples' workflows for GitHub", () => {
  before("Go", async function () {
    const isThere = await run("go", ["version"]).then(
      ({ code }) => code === 0,
      () => false,
    );
    if (isThere) return;
    assert.notEqual(process.env["CI"], "true", "There is no Go");
    console.log("      left out: there is no Go to build actionlint with");
    this.skip();
  });

  for (const folder of ["pipeline", "pipeline/forks", "shards"])
    it(`are as GitHub and the actions that they use want them: ${folder}`, async () => {
      const workflows = join(examples, folder, ".github/workflows");
      const files = fs.readdirSync(workflows).map((name) => join(workflows, name));
      const args = ["tool", "actionlint", "-no-color", "-ignore", newer, ...files];
      succeeds(await run("go", args, { cwd: resolve(__dirname, "../actionlint") }));
    });
});

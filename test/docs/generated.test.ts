import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository, snippetsOf } from "./pages";

const run = promisify(execFile);

describe("what pages take from the code", () => {
  it("is as the code is", async () => {
    await run(process.execPath, ["docs/generate.mjs", "--check"], { cwd: repository });
  });

  it("includes a whole program with its tests", () => {
    const shown = snippetsOf("docs/testing.md", "ts");
    const suites = shown.flatMap((text) => /^describe\("[^"]+"/m.exec(text) ?? []);
    assert.deepEqual(suites, ['describe("declareTenants"', 'describe("the program"']);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedState, recordedVersions } from "../engine/long/recordedStates";
import { pageAt, repository } from "./pages";

const record = "RECORD_STATE=true npm run test:engine -- test/engine/long/yesterday.test.ts";

describe("recorded states", () => {
  it(`are there for each version of the changelog; "${record}" adds one`, () => {
    const changelog = readFileSync(join(repository, "provider/CHANGELOG.md"), "utf8");
    const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version = ""]) => version);
    assert.notEqual(versions.length, 0);
    assert.deepEqual(recordedVersions(), versions.sort());
  });

  it("are recorded by the command that CONTRIBUTING.md prints", () => {
    const printed = pageAt("CONTRIBUTING.md").snippets.flatMap(({ text }) => text.split("\n"));
    assert(printed.includes(record));
  });

  for (const version of recordedVersions())
    it(`of ${version} name no machine, and hold no token in plain text`, () => {
      const { state, tokens } = recordedState(version);
      assert.doesNotMatch(state, /sourcePosition|stackTrace|file:|node_modules/);
      assert.notEqual(tokens.length, 0);
      for (const token of tokens) assert(!state.includes(token));
    });
});

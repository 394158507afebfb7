import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, versions } from "../../../bench/machine";
import { optionsFrom } from "../../../bench/options";
import { readResults, writeResults } from "../../../bench/results";
import { openSession } from "../../../bench/session";
import { resultsOf, runOf } from "./results";

describe("a session of the benchmark", () => {
  let file: string;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), "user-groups-session-")), "results.json")));
  afterEach(() => {
    rmSync(join(file, ".."), { recursive: true });
  });

  it("adds to results of the same machine and versions", () => {
    const kept = { ...resultsOf(runOf("a-user-groups", 10, 1, [1, 2, 3, 4])), ...here() };
    writeResults(file, kept);
    const { results } = openSession(file, optionsFrom(["--resume"]), ["--resume"]);
    assert.deepEqual(results, { ...kept, calls: [...kept.calls, ["--resume"]] });
  });

  it("doesn't mix what was measured with other versions or another latency", () => {
    writeResults(file, { ...resultsOf(), ...here(), versions: { ...versions(), "Node.js": "18.0.0" } });
    assert.throws(() => openSession(file, optionsFrom(["--resume"]), []), /versions isn't what it was/);
    writeResults(file, { ...resultsOf(), ...here() });
    const slow = optionsFrom(["--resume", "--latency", "20"]);
    assert.throws(() => openSession(file, slow, []), /latency isn't what it was/);
  });

  it("leaves results alone that it isn't told to add to", () => {
    const kept = { ...resultsOf(runOf("a-user-groups", 10, 1, [1, 2, 3, 4])), ...here() };
    writeResults(file, kept);
    assert.throws(() => openSession(file, optionsFrom([]), []), /--resume adds to it/);
    assert.deepEqual(readResults(file), kept);
  });
});

function here() {
  return { machine: machine(), versions: versions() };
}

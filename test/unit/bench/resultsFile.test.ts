import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readResults, writeResults } from "../../../bench/results";
import { resultsOf, runOf } from "./results";

describe("the results file of the benchmark", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "user-groups-results-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("gives back what was written, to a thousandth, with a line for each run", () => {
    const file = join(folder, "deep", "results.json");
    const failed = { contestant: "c", groups: 10, repetition: 1, failure: "broke" };
    writeResults(file, resultsOf(runOf("a", 10, 1, [1.23456, 2, 3, 4]), failed));
    assert.deepEqual(readResults(file), resultsOf(runOf("a", 10, 1, [1.235, 2, 3, 4]), failed));
    assert.equal(
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.includes('"contestant"')).length,
      2,
    );
    assert.deepEqual(readdirSync(join(folder, "deep")), ["results.json"]);
  });

  it("isn't there before", () => {
    assert.equal(readResults(join(folder, "results.json")), undefined);
  });
});

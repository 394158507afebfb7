import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, ratioOf, readResults, spreadOf, writeResults } from "../../../bench/results";
import { resultsOf, runOf } from "./results";

describe("the results of the benchmark", () => {
  it("are read as they were written, rounded to thousandths, with a line for each run", () => {
    const folder = mkdtempSync(join(tmpdir(), "user-groups-results-"));
    const file = join(folder, "deep", "results.json");
    try {
      assert.equal(readResults(file), undefined);
      writeResults(file, resultsOf(runOf("a", 10, 1, [1.23456, 2, 3, 4]), runOf("b", 10, 1, [1, 2, 3, 4])));
      const expected = resultsOf(runOf("a", 10, 1, [1.235, 2, 3, 4]), runOf("b", 10, 1, [1, 2, 3, 4]));
      assert.deepEqual(readResults(file), expected);
      assert.equal(readFileSync(file, "utf8").match(/^.*"contestant".*$/gm)?.length, 2);
      assert.deepEqual(readdirSync(join(folder, "deep")), ["results.json"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("have the median, or the mean of the middle two, and the range", () => {
    assert.deepEqual(spreadOf([5, 1, 3]), { median: 3, min: 1, max: 5 });
    assert.deepEqual(spreadOf([10, 4, 1, 2]), { median: 3, min: 1, max: 10 });
    assert.equal(spreadOf([]), undefined);
  });

  it("give ratios within a round, without rounds that only one of the two has", () => {
    const results = resultsOf(
      runOf("us", 100, 1, [2, 1, 1, 1]),
      runOf("us", 100, 2, [9, 1, 1, 1]),
      runOf("us", 100, 3, [7, 1, 1, 1]),
      runOf("them", 100, 2, [3, 1, 1, 1]),
      runOf("them", 100, 1, [4, 1, 1, 1]),
      runOf("them", 1000, 3, [1, 1, 1, 1]),
      { ...runOf("them", 100, 3, [1, 1, 1, 1]), latency: 50 },
    );
    const ratio = ratioOf(results, at("us", 100), at("them", 100), "up");
    assert.deepEqual(ratio, { median: 1.75, min: 0.5, max: 3 });
  });
});

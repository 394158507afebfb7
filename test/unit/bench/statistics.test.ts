import assert from "node:assert/strict";
import { ratiosOf, spreadOf } from "../../../bench/statistics";
import { resultsOf, runOf } from "./results";

describe("statistics of the benchmark", () => {
  it("gives the middle value, or the mean of the middle two, and the range", () => {
    assert.deepEqual(spreadOf([5, 1, 3]), { median: 3, min: 1, max: 5, count: 3 });
    assert.deepEqual(spreadOf([10, 4, 1, 2]), { median: 3, min: 1, max: 10, count: 4 });
    assert.equal(spreadOf([]), undefined);
  });

  it("takes ratios within one repetition, and leaves out those that only one of the two has", () => {
    const results = resultsOf(
      runOf("us", 100, 1, [2, 1, 1, 1]),
      runOf("us", 100, 2, [9, 1, 1, 1]),
      runOf("us", 100, 3, [7, 1, 1, 1]),
      runOf("them", 100, 2, [3, 1, 1, 1]),
      runOf("them", 100, 1, [4, 1, 1, 1]),
      runOf("them", 1000, 3, [1, 1, 1, 1]),
      { contestant: "them", groups: 100, repetition: 3, failure: "broke" },
    );
    const [us, them] = ["us", "them"].map((contestant) => ({ contestant, groups: 100 }));
    assert(us && them);
    assert.deepEqual(ratiosOf(results, us, them, "up"), [0.5, 3]);
  });
});

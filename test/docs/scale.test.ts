import assert from "node:assert/strict";
import { pageAt } from "./pages";

const latencies = [20, 50, 200];

describe("docs/scale.md", () => {
  it("has a capacity table that follows from its formula", () => {
    const table = pageAt("docs/scale.md").tables.find(([row]) => row?.[0] === "1,000");
    assert(table, "There is no capacity table");
    for (const row of table) {
      const [groups = NaN, shards = NaN, machines = NaN, connections = NaN, ...minutes] = row.map(numberIn);
      const overhead = Math.ceil(shards / machines) * (5 + groups / shards / 1000);
      const seconds = latencies.map((latency) => (groups * latency) / 1000 / connections + overhead);
      assert.deepEqual(
        minutes,
        seconds.map((each) => Number((each / 60).toFixed(1))),
      );
    }
  });
});

function numberIn(cell: string): number {
  return Number(cell.replaceAll(",", ""));
}

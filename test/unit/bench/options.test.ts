import assert from "node:assert/strict";
import { optionsFrom } from "../../../bench/options";

describe("the flags of the benchmark", () => {
  it("name contestants by letter or by ID", () => {
    assert.deepEqual(optionsFrom(["--only", "d,f-opentofu"]).only, ["d-inline", "f-opentofu"]);
    assert.deepEqual(optionsFrom(["--only", "f"]).only, ["f-opentofu", "f-opentofu-for-each"]);
  });

  it("take lists of sizes and latencies", () => {
    const { sizes, latency } = optionsFrom(["--sizes", "5, 50", "--latency", "0,20"]);
    assert.deepEqual(
      [sizes, latency],
      [
        [5, 50],
        [0, 20],
      ],
    );
  });

  for (const [flag, value] of [
    ["--sizes", "100,many"],
    ["--sizes", "0"],
    ["--repeat", "1.5"],
    ["--latency", "-1"],
    ["--only", "x"],
  ] as const)
    it(`are refused by name: ${flag} ${value}`, () => {
      assert.throws(() => optionsFrom([`${flag}=${value}`]), new RegExp(`^Error: ${flag}: `));
    });
});

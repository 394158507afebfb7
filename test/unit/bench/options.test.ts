import assert from "node:assert/strict";
import { isWhole, optionsFrom } from "../../../bench/options";

describe("the flags of the benchmark", () => {
  it("name contestants by letter or by ID", () => {
    assert.deepEqual(optionsFrom(["--only", "c,e-opentofu"]).only, ["c-inline", "e-opentofu"]);
    assert.deepEqual(optionsFrom(["--only", "e"]).only, ["e-opentofu", "e-opentofu-tuned"]);
  });

  it("make a whole run by default, and a part of one with sizes, contestants or latency", () => {
    assert(isWhole(optionsFrom(["--repeat", "7", "--resume"])));
    for (const part of [["--sizes", "100"], ["--only", "a"], ["--latency", "20"], ["--profile"]])
      assert(!isWhole(optionsFrom(part)), part.join(" "));
  });

  for (const [flag, value] of [
    ["--sizes", "100,many"],
    ["--sizes", "0"],
    ["--repeat", "1.5"],
    ["--minutes", "0"],
    ["--latency", "-1"],
    ["--only", "x"],
  ] as const)
    it(`are refused by name: ${flag} ${value}`, () => {
      assert.throws(() => optionsFrom([`${flag}=${value}`]), new RegExp(`^Error: ${flag}: `));
    });
});

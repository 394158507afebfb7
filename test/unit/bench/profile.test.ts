import assert from "node:assert/strict";
import { summaryOf } from "../../../bench/profile/summary";

describe("the summary of a profile", () => {
  it("gives each sample's time to the package whose code ran", () => {
    const { parts, functions } = summaryOf({
      nodes: [
        frame(1, "(root)", "", [2, 3, 6, 7]),
        frame(2, "(idle)", ""),
        frame(3, "create", "file:///work/provider/dist/provider/userGroups.js", [4]),
        frame(4, "parse", "/work/node_modules/zod/v4/core/parse.js", [5]),
        frame(5, "stringify", ""),
        frame(6, "load", "node:internal/modules/cjs/loader", [8]),
        frame(7, "glob", "/work/node_modules/npm/node_modules/glob/index.js"),
        frame(8, "readFileUtf8", ""),
      ],
      samples: [2, 3, 4, 5, 6, 7, 8],
      timeDeltas: [4_000_000, 1_000_000, 2_000_000, 500_000, 250_000, 125_000, 250_000],
    });
    assert.deepEqual(parts, {
      waiting: 4,
      zod: 2,
      "pulumi-user-groups": 1,
      "Node.js": 0.5,
      "loading modules": 0.5,
      "other packages": 0.125,
    });
    assert.deepEqual(functions[1], ["parse (zod/v4/core/parse.js:8)", 2]);
  });

  it("refuses what is no profile", () => {
    assert.throws(() => summaryOf({ nodes: [] }));
  });
});

function frame(id: number, functionName: string, url: string, children: number[] = []) {
  return { id, callFrame: { functionName, url, lineNumber: 7 }, children };
}

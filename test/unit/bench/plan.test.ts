import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsFrom } from "../../../bench/options";
import { missingIn, openResults, planOf } from "../../../bench/plan";
import { readResults, writeResults } from "../../../bench/results";
import { machine, versions } from "../../../bench/setting";
import { resultsOf, runOf } from "./results";

describe("the plan of the benchmark", () => {
  const plan = (...flags: string[]) => planOf(optionsFrom(["--latency", "0", "--repeat", "1", ...flags]));

  it("measures every contestant once in each round, and starts each round with another one", () => {
    const runs = plan("--sizes", "100", "--repeat", "4", "--only", "a-user-groups,b-user-group,d-inline");
    assert.equal(
      runs.map(({ contestant }) => contestant.id.charAt(0)).join(""),
      "abd" + "bda" + "dab" + "abd",
    );
  });

  it("leaves out slow contestants at large sizes, except with --slow", () => {
    const flags = ["--sizes", "10000", "--only", "a-user-groups,b-user-group"];
    assert.equal(plan(...flags).length, 1);
    assert.equal(plan(...flags, "--slow").length, 2);
  });

  it("measures contestants that send no requests without latency only", () => {
    const runs = plan("--sizes", "10", "--latency", "0,50", "--only", "a-user-groups,e-floor-one");
    assert.deepEqual(
      runs.map(({ contestant, latency }) => [contestant.id, latency]),
      [
        ["a-user-groups", 0],
        ["e-floor-one", 0],
        ["a-user-groups", 50],
      ],
    );
  });

  it("finds the runs that a results file lacks", () => {
    const options = optionsFrom([
      "--sizes",
      "10",
      "--latency",
      "0",
      "--only",
      "a-user-groups",
      "--repeat",
      "2",
    ]);
    const missing = missingIn(resultsOf(runOf("a-user-groups", 10, 1, [1, 2, 3, 4])), options);
    assert.deepEqual(
      missing.map(({ round }) => round),
      [2],
    );
  });
});

describe("a results file of the benchmark", () => {
  let file: string;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), "user-groups-results-")), "results.json")));
  afterEach(() => {
    rmSync(join(file, ".."), { recursive: true });
  });
  const here = () => ({ machine: machine(), versions: versions() });

  it("is continued with the same machine and versions", () => {
    const kept = { ...resultsOf(runOf("a-user-groups", 10, 1, [1, 2, 3, 4])), ...here() };
    writeResults(file, kept);
    assert.deepEqual(openResults(file, true, ["--resume"]), {
      ...kept,
      calls: [...kept.calls, ["--resume"]],
    });
  });

  it("isn't continued with other versions", () => {
    writeResults(file, { ...resultsOf(), ...here(), versions: { "Node.js": "18.0.0" } });
    assert.throws(() => openResults(file, true, []), /another value of "versions"/);
  });

  it("isn't replaced without --resume", () => {
    const kept = { ...resultsOf(runOf("a-user-groups", 10, 1, [1, 2, 3, 4])), ...here() };
    writeResults(file, kept);
    assert.throws(() => openResults(file, false, []), /continue it with --resume/);
    assert.deepEqual(readResults(file), kept);
  });
});

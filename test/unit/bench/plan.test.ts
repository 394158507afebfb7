import assert from "node:assert/strict";
import { contestantIds } from "../../../bench/contestants";
import { isDone, planOf } from "../../../bench/plan";
import { resultsOf, runOf } from "./results";

describe("the plan of the benchmark", () => {
  const only = ["a-user-groups", "b-user-group", "e-opentofu"];

  it("gives every contestant its turn before any has its next, each time from another one on", () => {
    const turns = planOf({ sizes: [100], only, repeat: 4 }).map(({ contestant }) => contestant.id.charAt(0));
    assert.equal(turns.join(""), "abe" + "bea" + "eab" + "abe");
  });

  it("leaves out at many groups those whose time grows with their square", () => {
    const many = planOf({ sizes: [1000, 10_000], only, repeat: 1 }).filter(({ groups }) => groups === 10_000);
    assert.deepEqual(
      many.map(({ contestant }) => contestant.id),
      ["a-user-groups", "e-opentofu"],
    );
  });

  it("takes every contestant where none is named", () => {
    assert.equal(planOf({ sizes: [1], only: undefined, repeat: 1 }).length, contestantIds.length);
  });

  it("counts a run as done when it was measured, not when it failed", () => {
    const [first, second, third] = planOf({ sizes: [100], only, repeat: 1 });
    assert(first && second && third);
    const results = resultsOf(runOf("a-user-groups", 100, 1, [1, 1, 1, 1]), {
      contestant: "b-user-group",
      groups: 100,
      repetition: 1,
      failure: "broke",
    });
    assert.deepEqual(
      [first, second, third].map((planned) => isDone(planned, results)),
      [true, false, false],
    );
  });
});

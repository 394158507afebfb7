import assert from "node:assert/strict";
import { keep } from "./page";
import { committedCells, outcomesOf, rows, summary } from "./summary";

describe("the summary of docs/reliability.md", () => {
  it("is that of test/faults/matrix.md", () => {
    keep("summary", summary());
  });

  it("covers each fault of each operation in one row, except for adopt: false", () => {
    const uncovered = committedCells().filter(
      ({ fault, operation }) =>
        !operation.includes("adopt false") &&
        rows.filter((row) => row.faults.test(fault) && row.operations.test(operation)).length !== 1,
    );
    assert.deepEqual(uncovered, []);
  });

  for (const row of rows)
    it(`is right about success: ${row.event}`, () => {
      const successes = [...outcomesOf(row)].filter((outcome) => !outcome.startsWith("`"));
      assert.deepEqual(successes.sort(), [...row.successes].sort());
    });
});

import assert from "node:assert/strict";
import { TimeBudget } from "../../../../provider/src/service/http/clock";

/** A budget of 6 s on a clock that only the test moves. */
function budgetOf6Seconds() {
  let milliseconds = 1000;
  const advance = (by: number) => {
    milliseconds += by;
  };
  return { budget: new TimeBudget(6, { now: () => milliseconds }), advance };
}

describe("the time budget of an operation", () => {
  it("gives an attempt at most a third of the whole, and no more than is left", async () => {
    const { budget, advance } = budgetOf6Seconds();
    const left = () => [budget.remainingMilliseconds, budget.attemptMilliseconds];
    const spend = (by: number) =>
      budget.spend(() => {
        advance(by);
        return Promise.resolve();
      });
    assert.deepEqual(left(), [6000, 2000]);
    await spend(5000);
    assert.deepEqual(left(), [1000, 1000]);
    await spend(5000);
    assert.deepEqual(left(), [0, 0]);
  });

  it("isn't spent while the operation waits for its turn", () => {
    const { budget, advance } = budgetOf6Seconds();
    advance(60_000);
    assert.equal(budget.remainingMilliseconds, 6000);
  });

  it("is spent by work that fails", async () => {
    const { budget, advance } = budgetOf6Seconds();
    const work = () => {
      advance(2500);
      return Promise.reject(new Error("it failed"));
    };
    await assert.rejects(budget.spend(work), /it failed/);
    assert.equal(budget.remainingMilliseconds, 3500);
  });
});

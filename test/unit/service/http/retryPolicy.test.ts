import assert from "node:assert/strict";
import { TimeBudget } from "../../../../provider/src/service/http/clock";
import {
  isRetryableStatus,
  pauseMilliseconds,
  retryAfterMilliseconds,
} from "../../../../provider/src/service/http/transportError";

describe("the retry policy", () => {
  it("retries 408, 429 and 5xx, except 501 and 505", () => {
    const retried = [408, 429, 500, 502, 503, 504, 507, 599];
    const final = [200, 204, 301, 400, 401, 403, 404, 409, 410, 418, 422, 501, 505];
    assert.deepEqual([...retried, ...final].filter(isRetryableStatus), retried);
  });

  it("pauses for a random part of a ceiling that doubles, up to 10 s", () => {
    const pauses = [1, 2, 3, 6, 7, 50].map((attempts) => pauseMilliseconds(attempts, undefined, 0.5));
    assert.deepEqual(pauses, [100, 200, 400, 3200, 5000, 5000]);
    assert.equal(pauseMilliseconds(9, undefined, 0), 0);
  });

  it("pauses at least as long as the service asks for", () => {
    for (const [asked, pause] of [
      [5000, 5000],
      [50, 100],
      [0, 100],
    ] as const)
      assert.equal(pauseMilliseconds(1, asked, 0.5), pause);
  });

  it("reads Retry-After in seconds or as a date", () => {
    const now = Date.parse("2030-01-01T00:00:00Z");
    const cases: [string | undefined, number | undefined][] = [
      [undefined, undefined],
      ["0", 0],
      ["7", 7000],
      ["Tue, 01 Jan 2030 00:00:03 GMT", 3000],
      ["Mon, 31 Dec 2029 00:00:00 GMT", 0],
      ["soon", undefined],
      ["", undefined],
    ];
    for (const [value, expected] of cases)
      assert.equal(retryAfterMilliseconds(value, now), expected, String(value));
  });
});

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

/** A budget of 6 s on a clock that only the test moves. */
function budgetOf6Seconds() {
  let milliseconds = 1000;
  const advance = (by: number) => {
    milliseconds += by;
  };
  return { budget: new TimeBudget(6, { now: () => milliseconds }), advance };
}

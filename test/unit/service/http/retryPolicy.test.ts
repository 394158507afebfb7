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

  it("pauses for a random part of a ceiling that doubles, up to 10 s, and as long as the service asks for", () => {
    const pauses = [1, 2, 3, 6, 7, 50].map((attempts) => pauseMilliseconds(attempts, undefined, 0.5));
    assert.deepEqual(pauses, [100, 200, 400, 3200, 5000, 5000]);
    assert.equal(pauseMilliseconds(9, undefined, 0), 0);
    assert.deepEqual(
      [5000, 50, 0].map((asked) => pauseMilliseconds(1, asked, 0.5)),
      [5000, 100, 100],
    );
  });

  it("reads Retry-After in seconds or as a date", () => {
    const now = Date.parse("2030-01-01T00:00:00Z");
    const cases: [string | undefined, number | undefined][] = [
      [undefined, undefined],
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

it("the time budget of an operation gives an attempt at most a third of the whole, and no more than is left", async () => {
  let milliseconds = 1000;
  const budget = new TimeBudget(6, { now: () => milliseconds });
  assert.equal(budget.attemptMilliseconds, 2000);
  for (const [spent, left] of [
    [5000, 1000],
    [5000, 0],
  ] as const) {
    const work = budget.spend(() => {
      milliseconds += spent;
      return Promise.reject(new Error("it failed"));
    });
    await assert.rejects(work, /it failed/);
    assert.deepEqual([budget.remainingMilliseconds, budget.attemptMilliseconds], [left, left]);
  }
});

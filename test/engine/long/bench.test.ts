import assert from "node:assert/strict";
import { contestant } from "../../../bench/contestants";
import { measureRun } from "../../../bench/measure";

describe("the benchmark", () => {
  it("measures and verifies up, preview, refresh and destroy of UserGroups", async () => {
    const task = { contestant: contestant("a-user-groups"), groups: 20, latency: 0 };
    const run = await measureRun(task, new AbortController().signal);
    const { up, preview, refresh, destroy } = run;
    assert.deepEqual(
      [up, preview, refresh, destroy].map(({ requests }) => requests),
      [20, 0, 20, 20],
    );
    assert([up, preview, refresh, destroy].every(({ seconds }) => seconds > 0));
    assert(run.connections <= 16);
    assert(run.stateBytes > 20 * 100);
  });

  it("fails where an operation fails, such as one of a program that isn't right", async () => {
    const broken = { ...contestant("a-user-groups"), env: { USER_GROUPS_API_TOKEN: "another" } };
    const measured = measureRun({ contestant: broken, groups: 2, latency: 0 }, new AbortController().signal);
    await assert.rejects(measured, /up .* ended with \d+/);
  });
});

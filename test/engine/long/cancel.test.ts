import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { canKill, fails, newFixture, stepsOf, succeeds, tokensOf } from "../harness";
import { pluginProgram } from "./pluginProgram";

const count = 400;

describe("plugin: a cancelled update of many groups", function () {
  if (!canKill) return;
  const fixture = newFixture(
    () => ({
      program: pluginProgram(`
        const groups = Object.fromEntries(
          Array.from({ length: ${count} }, (_, index) => ["g" + index, { name: "Group " + index }]));
        exports.tokens = new UserGroups("tenants", { groups }).tokens;
      `),
      env: { USER_GROUPS_MAX_CONNECTIONS: "4" },
    }),
    { latency: 200 },
  );

  it("starts no request after a second, records what is done, and the next up does the rest", async () => {
    const cancel = new AbortController();
    const running = fixture.stack.up({ signal: cancel.signal });
    while (fixture.emulator.requests.length < 20) await setTimeout(20);
    cancel.abort();
    await setTimeout(1_000);
    const started = fixture.emulator.requests.length;
    const cancelled = fails(await running);
    assert.equal(fixture.emulator.requests.length, started);
    assert(started < count);
    assert.match(cancelled.output, /were not tried/);
    const { outputs } = await fixture.stack.resource("tenants");
    assert.deepEqual(
      Object.keys(groupsIn.parse(outputs).groups).sort(),
      [...fixture.emulator.groups.keys()].sort(),
    );

    fixture.emulator.configure({ latency: 0 });
    fixture.emulator.clearRequests();
    const rest = succeeds(await fixture.stack.up());
    assert.deepEqual(stepsOf(rest, "tenants"), ["update"]);
    assert.equal(fixture.emulator.requests.length, count - started);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: tokensOf(fixture.emulator) });
  });
});

const groupsIn = z.object({ groups: z.record(z.string(), z.unknown()) });

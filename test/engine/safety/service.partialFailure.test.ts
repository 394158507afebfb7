import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds, tokensOf } from "../harness";
import { htmlPage } from "../../harness/responseFaults";

const connections = (maxConnections: number) => ({
  env: { USER_GROUPS_MAX_CONNECTIONS: String(maxConnections) },
});

/** A failure that may well be the service's, and that isn't retried. */
const malformed = htmlPage("before");

describe("UserGroups with maxConnections 1, of which one group gets a malformed answer", () => {
  const world = newWorld((emulator) => {
    emulator.fault({ ...malformed, userGroupId: "tenant-7" });
    return { program: programOf(30), ...connections(1) };
  });

  it("creates and records all others, and the next up the one", async () => {
    const up = fails(await world.stack.up());
    assert.match(errorOf(up, "tenants"), /1 failed\.[^]*"tenant-7"[^]*\[response-invalid\]/);
    assert.doesNotMatch(up.output, /not tried/i);
    assert.deepEqual(
      idsIn(await world.stack.resource("tenants")),
      idsOf(30).filter((id) => id !== "tenant-7"),
    );
    world.emulator.clearRequests();
    succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator), ['GET "tenant-7" created 200']);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });
});

/** Longer than it takes to open a connection, so that the answers of all connections come together. */
const batched = { latency: 50 };

for (const maxConnections of [1, 16]) {
  describe(`UserGroups of a service that fails, with maxConnections ${maxConnections}`, () => {
    const world = newWorld((emulator) => {
      emulator.fault({ ...malformed, times: Infinity });
      return { program: programOf(60), ...connections(maxConnections) };
    }, batched);

    it("tries no further group after 20 failures in a row, and says so", async () => {
      const error = errorOf(fails(await world.stack.up()), "tenants");
      const tried = world.emulator.requests.length;
      assert(tried >= 20 && tried < 20 + maxConnections, `${tried} requests`);
      assert.match(error, new RegExp(`${tried} failed\\b.*\\b${60 - tried}\\b.*not tried`));
      assert.equal(world.emulator.groups.size, 0);
    });

    it("tries all where a success breaks the run", async () => {
      const { emulator, stack } = world;
      emulator.clearFaults();
      emulator.clearRequests();
      emulator.fault({ ...malformed, times: 16 });
      emulator.fault({ ...malformed, skip: 8, times: 16 });
      const up = fails(await stack.up());
      assert.match(errorOf(up, "tenants"), /32 failed/);
      assert.doesNotMatch(up.output, /not tried/i);
      assert.equal(emulator.requests.length, 60);
      assert.deepEqual(idsIn(await stack.resource("tenants")), [...emulator.groups.keys()].sort());
    });
  });
}

function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tenant-${index}`).sort();
}

function idsIn({ outputs }: { outputs: Record<string, unknown> }): string[] {
  return Object.keys(outputs["groups"] ?? {}).sort();
}

function programOf(count: number): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const groups = Object.fromEntries(${JSON.stringify(idsOf(count))}.map((id) => [id, { name: "Tenant" }]));
    exports.tokens = new UserGroups("tenants", { groups }).tokens;
  `;
}

import assert from "node:assert/strict";
import { inContext } from "../harness/context";
import { groupsIn } from "../model/groups";
import type { Declared } from "../model/resources";

const ids = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);

/** One after the other they take longer than an attempt may, which is a third of the timeout. */
const latency = 200;
const settings = { maxConnections: "1", timeout: "6" };

/** One at a time: each waits for the same service. */
describe("many UserGroup at once, over one connection to a slow service", () => {
  it("wait for their turn, which is neither a time-out nor an attempt", () =>
    inContext({ latency, settings }, async ({ engine, emulator, clock }) => {
      const { failures } = await engine.up(ids.map(declared), { isParallel: true });
      assert.deepEqual(failures, []);
      assert.equal(clock.pauses, 0);
      assert.equal(emulator.requests.length, ids.length);
    }));

  it("record no group of somebody else's without adoption", () =>
    inContext({ latency, settings }, async ({ engine, emulator }) => {
      const foreign = ids.filter((_, index) => index % 3 === 0);
      for (const userGroupId of foreign) emulator.putGroup({ userGroupId, name: "Tenant" });
      const { failures } = await engine.up(ids.map(declared), { isParallel: true });
      assert(failures.every(({ message }) => message.includes("[adoption-refused]")));
      assert.deepEqual(failures.map(({ name }) => name).sort(), foreign.sort());
      const recorded = new Set(groupsIn(engine.resources).map(({ userGroupId }) => userGroupId));
      assert.deepEqual(
        ids.filter((userGroupId) => !recorded.has(userGroupId)),
        foreign,
      );
    }));
});

function declared(userGroupId: string): Declared {
  return {
    name: userGroupId,
    provider: "userGroup",
    args: { userGroupId, name: "Tenant", adopt: false },
  };
}

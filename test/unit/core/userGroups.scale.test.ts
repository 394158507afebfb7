import assert from "node:assert/strict";
import { inWorld } from "../world";
import { create, many, read, remove, update } from "./manyGroups";

describe("UserGroups of any size", () => {
  it(
    "takes as many requests a group, and as many bytes of state, however many there are",
    inWorld({}, async ({ emulator }) => {
      const requestsOf = async (operation: () => Promise<unknown>) => {
        emulator.clearRequests();
        await operation();
        return emulator.requests.length;
      };
      const sizes: number[] = [];
      for (const count of [25, 100]) {
        let record: object = {};
        assert.equal(await requestsOf(async () => (record = await create({ groups: many(count) }))), count);
        sizes.push(JSON.stringify(record).length / count);
        assert.equal(await requestsOf(() => read(record)), count);
        assert.equal(
          await requestsOf(async () => (record = await update(record, { groups: many(count) }))),
          0,
        );
        const renamed = { groups: many(count, { name: "Renamed" }) };
        assert.equal(await requestsOf(async () => (record = await update(record, renamed))), 2 * count);
        assert.equal(await requestsOf(() => remove(record)), count);
        assert.equal(emulator.groups.size, 0);
      }
      const [few = 0, more = Infinity] = sizes;
      assert(Math.abs(more - few) < 3, `${few} and ${more} bytes a group`);
      assert.equal(emulator.connections, 16);
    }),
  );
});

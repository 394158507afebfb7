import assert from "node:assert/strict";
import fc from "fast-check";
import { customers, shardOf, shards } from "../../../examples/shards/sharding";

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe("the shards of examples/shards", () => {
  it("have each customer of the example once", () => {
    const each = shards.map((shard) => customers.filter((customer) => shardOf(customer) === shard));
    assert.deepEqual(each.flat().length, customers.length);
    assert(each.every((ours) => ours.length > 0));
  });

  it("give customers to a shard that is added, and to no other", () => {
    fc.assert(
      fc.property(fc.string(), names, fc.string({ minLength: 1 }), (id, among, added) => {
        const [former, next] = [shardOf({ id }, among), shardOf({ id }, [...among, added])];
        assert(next === former || next === added);
      }),
    );
  });

  it("don't depend on the order in which they are listed", () => {
    fc.assert(
      fc.property(fc.string(), names, (id, among) => {
        assert.equal(shardOf({ id }, among), shardOf({ id }, [...among].reverse()));
      }),
    );
  });

  it("have about as many customers each", () => {
    const among = ["shard-1", "shard-2", "shard-3", "shard-4"];
    const counts = new Map<string, number>();
    for (let n = 0; n < 4000; n += 1) {
      const shard = shardOf({ id: `tenant-${n}` }, among);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    for (const shard of among) assert(Math.abs((counts.get(shard) ?? 0) - 1000) < 150, shard);
  });
});

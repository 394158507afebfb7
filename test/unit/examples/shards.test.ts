import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { readLists, shardOf } from "../../../examples/shards/sharding";

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe("the shards of examples/shards", () => {
  it("have each customer of the example once", () => {
    const { customers, shards } = readLists();
    const each = shards.map((shard) => customers.filter((customer) => shardOf(customer, shards) === shard));
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

describe("the lists of examples/shards", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "user-groups-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const acme = { id: "acme", name: "Acme" };
  const one = { shards: ["one"], retired: [] as string[] };
  const assertRefused = (customers: unknown, shards: unknown, message: RegExp) => {
    writeFileSync(join(folder, "customers.json"), JSON.stringify(customers));
    writeFileSync(join(folder, "shards.json"), JSON.stringify(shards));
    assert.throws(() => readLists(folder), { message });
  };

  it("name a customer once", () => {
    assertRefused([acme, { id: "acme", name: "Other" }], one, /customers\.json: acme is listed twice/);
  });

  it("name a shard once, as a shard or as a retired one", () => {
    assertRefused([acme], { shards: ["one", "one"], retired: [] }, /shards\.json: one is listed twice/);
    assertRefused([acme], { shards: ["one"], retired: ["one"] }, /shards\.json: one is listed twice/);
  });

  it("name stacks without organization and project", () => {
    assertRefused([acme], { shards: ["one", "org/project/two"], retired: [] }, /"org\/project\/two" must be/);
  });
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { decide, type ShardState } from "../../../examples/shards/decide";
import { groupsOf, readLists, shardOf, type Lists } from "../../../examples/shards/sharding";

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe("the hash of examples/shards", () => {
  it("gives customers to a shard that is added, and to no other, in whichever order the shards are listed", () => {
    fc.assert(
      fc.property(fc.string(), names, fc.string({ minLength: 1 }), (id, among, added) => {
        const [former, next] = [shardOf({ id }, among), shardOf({ id }, [added, ...among].reverse())];
        assert(next === former || next === added);
      }),
    );
  });

  it("gives each shard about as many customers", () => {
    const among = ["shard-1", "shard-2", "shard-3", "shard-4"];
    const places = Array.from({ length: 4000 }, (_, n) => shardOf({ id: `tenant-${n}` }, among));
    for (const shard of among)
      assert(Math.abs(places.filter((place) => place === shard).length - 1000) < 150, shard);
  });
});

describe("the lists of examples/shards", () => {
  const refused = (customers: unknown, stacks: object): string => {
    const folder = mkdtempSync(join(tmpdir(), "user-groups-"));
    writeFileSync(join(folder, "customers.json"), JSON.stringify(customers));
    writeFileSync(join(folder, "shards.json"), JSON.stringify({ retired: [], deletionLimit: 2, ...stacks }));
    try {
      readLists(folder);
      return "";
    } catch (error) {
      return String(error);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const acme = { id: "acme", name: "Acme" };

  it("name each customer and each shard once, and stacks without organization and project", () => {
    assert.equal(refused([acme], { shards: ["one"] }), "");
    assert.match(refused([acme, acme], { shards: ["one"] }), /acme is listed twice/);
    assert.match(refused([acme], { shards: ["one"], retired: ["one"] }), /one is listed twice/);
    assert.match(
      refused([acme], { shards: ["org/project/two"] }),
      /must be a stack's name, without organization/,
    );
    assert.match(refused([], { shards: ["one"] }), /Too small/);
  });
});

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const stacks = ["one", "two", "three", "four"];

function listsOf(listed: readonly string[], shards: readonly string[], version = "1"): Lists {
  const customers = listed.map((id) => ({ id, name: id + version }));
  const retired = stacks.filter((stack) => !shards.includes(stack));
  return { customers, shards: [...shards], retired, deletionLimit: 99 };
}

type Groups = ShardState["groups"];

function stateOf(groups: Groups, isTakenBack = false): ShardState {
  return { groups, isTakenBack };
}

describe("the decisions of examples/shards", () => {
  const two = ["one", "two"];
  const idOf = (shard: string) => ids.find((id) => shardOf({ id }, two) === shard) ?? assert.fail();
  const [x, y] = [idOf("one"), idOf("two")];
  const group = (id: string, version = "1") => ({ [id]: { name: id + version } });
  const refuses = (lists: Lists, states: Record<string, ShardState>, pattern: RegExp) => {
    assert.throws(() => decide(lists, new Map(Object.entries(states))), pattern);
  };

  it("let a shard forget its customers only when others have them", () => {
    const one = stateOf(group(y));
    const before = decide(listsOf([y], two), new Map([["one", one]]));
    assert.deepEqual([before.first, before.then, [...before.givers]], [["two"], ["one"], ["one"]]);
    const after = decide(listsOf([y], two), new Map(Object.entries({ one, two: one })));
    assert.deepEqual([after.first, after.then, [...after.givers]], [two, [], ["one"]]);
  });

  it("refuse moves together with changes, removals and other moves", () => {
    refuses(listsOf([y], two), { one: stateOf(group(y, "0")) }, /leave or change while .* \(\w\)/);
    refuses(listsOf([y], two), { one: stateOf({ ...group(y), ...group(x) }) }, /leave or change while/);
    refuses(
      listsOf([x, y], two),
      { one: stateOf(group(y)), two: stateOf(group(x)) },
      /get customers and give/,
    );
  });

  it("refuse to take back an unfinished update, also by moving its customers away", () => {
    const states = { one: stateOf(group(x), true), two: stateOf(group(y)) };
    refuses(listsOf([x, y], two), states, /interrupted or failed.* \(one\)/);
    refuses(listsOf([x, y], ["two"]), states, /interrupted or failed.* \(one\)/);
  });

  it("refuse more removals and changes in all shards than the limit", () => {
    const states = { one: stateOf(group(x)), two: stateOf(group(y)) };
    const limited = { ...listsOf([y], two, "2"), deletionLimit: 1 };
    refuses(limited, states, /deletionLimit of 1 \(\w, \w\)/);
    decide({ ...limited, deletionLimit: 2 }, new Map(Object.entries(states)));
  });

  it("refuse stacks that hold customers and are not listed", () => {
    refuses(
      { ...listsOf([x], two), retired: [] },
      { three: stateOf(group(y)) },
      /not in shards\.json.* \(three\)/,
    );
  });

  /** Who is listed in a deployment, and the groups that the service refuses meanwhile, by shard. */
  const deployment = fc.record({
    ids: fc.subarray(ids),
    shards: fc.subarray(stacks, { minLength: 1 }),
    version: fc.constantFrom("1", "2"),
    refused: fc.dictionary(fc.constantFrom(...stacks), fc.subarray(ids)),
  });

  it("never lose a group, whichever deployments follow one another and whatever fails in them", () => {
    fc.assert(
      fc.property(fc.array(deployment, { maxLength: 8 }), (deployments) => {
        const model = new Model();
        for (const { ids, shards, version, refused } of deployments)
          model.deploy(listsOf(ids, shards, version), refused);
      }),
      { numRuns: 300 },
    );
  });

  it("need one deployment each to change the customers, to add shards and to retire shards", () => {
    const some = fc.subarray(ids);
    fc.assert(
      fc.property(some, some, fc.subarray(stacks, { minLength: 1 }), (before, after, few) => {
        const model = new Model();
        for (const lists of [
          listsOf(before, few),
          listsOf(after, few),
          listsOf(after, stacks),
          listsOf(after, few),
        ]) {
          assert(model.deploy(lists));
          model.assertSpread(lists);
        }
      }),
    );
  });
});

/** The groups in the service and in each shard's state, as deployments change them. */
class Model {
  readonly #service = new Set<string>();
  /** The groups that each shard has recorded, and those that its last update was to declare if that has failed. */
  readonly #states = new Map<string, { groups: Groups; goal?: Groups | undefined }>();

  /** Whether the deployment was possible. `refused`: the groups that the service refuses, by shard. */
  deploy(lists: Lists, refused: Readonly<Record<string, readonly string[]>> = {}): boolean {
    const done = new Set<string>();
    for (;;) {
      const decision = this.#decide(lists);
      if (!decision) return false;
      const due = decision.first.filter((shard) => !done.has(shard));
      if (due.length === 0) return decision.then.length === 0;
      for (const shard of due) {
        done.add(shard);
        this.#bringUp(shard, lists, decision.givers.has(shard), refused[shard] ?? []);
        this.#assertNothingLost();
      }
    }
  }

  #decide(lists: Lists) {
    const states = [...this.#states].map(([name, { groups, goal }]) => {
      const isTakenBack = goal !== undefined && !isDeepStrictEqual(goal, groupsOf(name, lists));
      return [name, { groups, isTakenBack }] as const;
    });
    try {
      return decide(lists, new Map(states));
    } catch {
      return undefined;
    }
  }

  /** As UserGroups does it: what is refused stays as it was, and the rest is done and recorded. */
  #bringUp(shard: string, lists: Lists, retains: boolean, refused: readonly string[]): void {
    const wanted = groupsOf(shard, lists);
    const groups = new Map(Object.entries(this.#states.get(shard)?.groups ?? {}));
    const leaving = [...groups.keys()].filter((id) => !Object.hasOwn(wanted, id));
    for (const [id, each] of Object.entries(wanted))
      if (!refused.includes(id)) {
        groups.set(id, each);
        this.#service.add(id);
      }
    for (const id of leaving) {
      if (!retains && refused.includes(id)) continue;
      groups.delete(id);
      if (retains) continue;
      assert(!lists.customers.some((customer) => customer.id === id), `${id} is listed and deleted`);
      this.#service.delete(id);
    }
    const hasFailed = [...Object.keys(wanted), ...(retains ? [] : leaving)].some((id) =>
      refused.includes(id),
    );
    this.#states.set(shard, {
      groups: Object.fromEntries(groups),
      goal: hasFailed ? wanted : undefined,
    });
  }

  /** A state may still have a group that another shard has deleted; the next deployment settles that. */
  #assertNothingLost(): void {
    const recorded = new Set([...this.#states.values()].flatMap(({ groups }) => Object.keys(groups)));
    for (const id of this.#service) assert(recorded.has(id), `No shard has recorded ${id}`);
  }

  /** The service has the listed customers, and each shard has recorded its own. */
  assertSpread({ customers, shards }: Lists): void {
    const listed = customers.map(({ id }) => id);
    assert.deepEqual([...this.#service].sort(), listed);
    for (const [shard, { groups }] of this.#states)
      assert.deepEqual(
        Object.keys(groups).sort(),
        listed.filter((id) => shardOf({ id }, shards) === shard),
      );
  }
}

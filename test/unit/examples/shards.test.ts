import assert from "node:assert/strict";
import { decide, type ShardState } from "../../../examples/shards/decide";
import { shardOf, type Lists } from "../../../examples/shards/sharding";

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const stacks = ["one", "two", "three", "four"];

function listsOf(listed: readonly string[], shards: readonly string[], version = "1"): Lists {
  const customers = listed.map((id) => ({ id, name: id + version }));
  const retired = stacks.filter((stack) => !shards.includes(stack));
  return { customers, shards: [...shards], retired, deletionLimit: 99 };
}

type Groups = ShardState["groups"];

function stateOf(groups: Groups, isInexact = false): ShardState {
  return { groups, isInexact };
}

describe("the decisions of examples/shards", () => {
  const two = ["one", "two"];
  const idOf = (shard: string) => ids.find((id) => shardOf({ id }, two) === shard) ?? assert.fail();
  const [x, y] = [idOf("one"), idOf("two")];
  const group = (id: string, version = "1") => ({ [id]: { name: id + version } });
  const refuses = (lists: Lists, states: Record<string, ShardState>, pattern: RegExp) => {
    assert.throws(() => decide(lists, new Map(Object.entries(states))), pattern);
  };

  it("leave out a shard whose state isn't exact, and those that get its customers, and let all others go on", () => {
    const shards = ["one", "two", "three"];
    const lists = { ...listsOf([x, y], shards), deletionLimit: 0 };
    const left = Object.fromEntries(["left-1", "left-2"].map((id) => [id, { name: "0" }]));
    const own = shardOf({ id: x }, shards);
    const alone = decide(lists, new Map([[own, stateOf({ ...group(x), ...left }, true)]]));
    assert.deepEqual([...alone.inexact], [[own, own]]);
    assert.deepEqual([alone.first, alone.then], [shards, []]);
    const other = shards.find((shard) => shard !== own) ?? assert.fail();
    const giving = decide(lists, new Map([[other, stateOf(group(x), true)]]));
    assert.deepEqual(Object.fromEntries(giving.inexact), { [other]: other, [own]: other });
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

  it("refuse stacks that hold customers and are not listed", () => {
    const lists = { ...listsOf([x], two), retired: [] };
    refuses(lists, { three: stateOf(group(y)) }, /not in shards\.json.* \(three\)/);
  });
});

import assert from "node:assert/strict";
import { decide, type ShardState } from "../../../examples/shards/decide";
import { shardOf, type Lists } from "../../../examples/shards/sharding";

/** Customers, each with its version as the end of its name. */
const group = (id: string, version = "1") => ({ [id]: { name: id + version } });

function listsOf(ids: readonly string[], shards: readonly string[], others: Partial<Lists> = {}): Lists {
  const customers = ids.map((id) => ({ id, name: `${id}1` }));
  return { customers, shards: [...shards], retired: ["three"], deletionLimit: 99, ...others };
}

describe("the decisions of examples/shards", () => {
  const two = ["one", "two"];
  const idOf = (shard: string) =>
    ["a", "b", "c", "d", "e"].find((id) => shardOf({ id }, two) === shard) ?? assert.fail();
  const [ofOne, ofTwo] = [idOf("one"), idOf("two")];

  const refusals: [reason: RegExp, lists: Lists, states: Record<string, ShardState["groups"]>][] = [
    [/leave or change while/, listsOf([ofTwo], two), { one: group(ofTwo, "0") }],
    [/leave or change while/, listsOf([ofTwo], two), { one: { ...group(ofTwo), ...group(ofOne) } }],
    [/get customers and give/, listsOf([ofOne, ofTwo], two), { one: group(ofTwo), two: group(ofOne) }],
    [/not in shards\.json.* \(three\)/, listsOf([ofOne], two, { retired: [] }), { three: group(ofTwo) }],
  ];
  for (const [index, [reason, lists, states]] of refusals.entries())
    it(`refuse customers who ${reason.source} (${index})`, () => {
      const entries = Object.entries(states).map(
        ([name, groups]) => [name, { groups, isInexact: false }] as const,
      );
      assert.throws(() => decide(lists, new Map(entries)), reason);
    });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, refuseEarly, type Recorded, type States } from "../../../examples/shards/decide";
import { ofStage, parsePlan, shareOf } from "../../../examples/shards/deploymentPlan";
import { shardOf, type Lists } from "../../../examples/shards/sharding";
import { ShardsModel } from "./shardsModel";

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const stacks = ["one", "two", "three", "four"];

/** Who is listed in a deployment, and the groups that the service refuses meanwhile, by shard. */
const deployment = fc.record({
  ids: fc.subarray(ids),
  shards: fc.subarray(stacks, { minLength: 1 }),
  refused: fc.dictionary(fc.constantFrom(...stacks), fc.subarray(ids)),
});

describe("the decisions of examples/shards", () => {
  it("never lose a group, whichever deployments follow one another and whatever fails in them", () => {
    let impossible = 0;
    fc.assert(
      fc.property(fc.array(deployment, { maxLength: 8 }), (deployments) => {
        const model = new ShardsModel();
        for (const { ids, shards, refused } of deployments) {
          if (!model.deploy(listsOf(ids, shards), refused)) impossible += 1;
          model.assertNothingLost();
        }
      }),
    );
    assert(impossible > 0);
  });

  it("need one deployment each to change the customers, to add shards and to retire shards", () => {
    const some = fc.subarray(ids);
    fc.assert(
      fc.property(some, some, fc.subarray(stacks, { minLength: 1 }), (before, after, few) => {
        const model = new ShardsModel();
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

  const two = ["one", "two"];
  const idOf = (shard: string) => ids.find((id) => shardOf({ id }, two) === shard) ?? assert.fail();
  const holding = (id: string, group: object = { name: id }): Recorded => ({
    groups: new Map([[id, group]]),
    hasFailed: false,
  });
  const lists = listsOf([idOf("two")], two);

  it("let a shard forget its customers only when others have recorded them", () => {
    const before: States = new Map([["one", holding(idOf("two"))]]);
    assert.deepEqual(decide(lists, before).stages, [["two"], ["one"]]);
    assert.throws(() => {
      refuseEarly(["one"], lists, before);
    }, /Customers have not moved yet \(\w\): bring up two first/);
    refuseEarly(["one"], lists, new Map([...before, ["two", holding(idOf("two"))]]));
  });

  it("refuse to move a customer who changes as well, or whose last change may have failed", () => {
    for (const state of [
      holding(idOf("two"), { name: "Former" }),
      { ...holding(idOf("two")), hasFailed: true },
    ])
      assert.throws(() => decide(lists, new Map([["one", state]])), /Customers change while they move/);
  });

  it("refuse to give customers to a shard that gives others away", () => {
    const states: States = new Map([
      ["one", holding(idOf("two"))],
      ["two", holding(idOf("one"))],
    ]);
    const swapped = listsOf([idOf("one"), idOf("two")], two);
    assert.throws(() => decide(swapped, states), /would get customers and give others away \(two, one\)/);
  });

  it("refuse stacks that hold customers and are not listed", () => {
    const { customers } = lists;
    const states: States = new Map([["three", holding("z")]]);
    assert.throws(
      () => decide({ customers, shards: two, retired: [] }, states),
      /not in shards\.json.*: three\./,
    );
  });
});

describe("the plan of examples/shards", () => {
  const lists = listsOf(ids, ["one", "two", "three"]);
  const plan = decide(lists, new Map());

  it("holds for the lists that it was made from", () => {
    assert.deepEqual(parsePlan(JSON.stringify(plan), lists), plan);
    const others = listsOf(ids.slice(1), ["one", "two", "three"]);
    assert.throws(() => parsePlan(JSON.stringify(plan), others), /made for other customers or other shards/);
  });

  it("can be carried out by names and by shares", () => {
    assert.deepEqual(ofStage(plan, 1, ["two", "four"], lists), ["two"]);
    assert.deepEqual(ofStage(plan, 2, [], lists), []);
    assert.throws(() => ofStage(plan, 1, ["five"], lists), /Not in shards\.json: five/);
    assert.throws(() => ofStage(plan, 3, [], lists), /stages 1 and 2/);
    const shares = ["1/2", "2/2"].map((share) => shareOf(ofStage(plan, 1, [], lists), share));
    assert.deepEqual(shares, [["one", "three"], ["two"]]);
    for (const share of ["0/2", "3/2", "2", "x/y"]) assert.throws(() => shareOf([], share), /A share is/);
  });
});

function listsOf(ids: readonly string[], shards: readonly string[]): Lists {
  const customers = ids.map((id) => ({ id, name: id }));
  return { customers, shards, retired: stacks.filter((stack) => !shards.includes(stack)) };
}

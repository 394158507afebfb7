/** Plans that no program of the contract suite shows. */
import assert from "node:assert/strict";
import { announce } from "../../../provider/src/core/set/announce";
import { planDiff } from "../../../provider/src/core/set/diff";
import { enforceDeletionLimit, planChanges, planMove } from "../../../provider/src/core/set/plan";
import { userGroupsShape } from "../../../provider/src/core/state/shapes";
import type { StoredGroup } from "../../../provider/src/core/state/storedGroup";
import { isObject, propertiesOf, unknownValue as unknown } from "../../../provider/src/values";
import { many } from "../../harness/providers";
import { testDeployment } from "../../harness/testDeployment";

const now = Date.parse("2026-01-02T12:00:00Z");

/** The plan of a change from and to some groups. */
function plan(olds: unknown, news: unknown, rules: { removed?: unknown; overlap?: unknown } = {}) {
  const { groups = new Map() } = userGroupsShape.wantedIn({ groups: news });
  return planChanges(stateOf(olds), { groups, ...rules }, { changes: "replace", now });
}

function stateOf(groups: unknown): Map<string, StoredGroup> {
  const entries = Object.entries(isObject(groups) ? groups : {});
  return new Map(
    entries.map(([userGroupId, group]) => {
      const recorded = { userGroupId, providedId: userGroupId, name: "", token: "another", adopted: false };
      return [userGroupId, { ...recorded, ...propertiesOf(group) }];
    }),
  );
}

const a = { name: "A", mapping: { sales: 1 }, properties: { seats: { of: 2 } } };

describe("the plan of a change of groups", () => {
  it("knows no groups but those of the arguments, whatever their IDs", () => {
    const groups: unknown = JSON.parse('{ "constructor": { "name": "C" }, "__proto__": { "name": "P" } }');
    for (const [from, to, action] of [
      [{}, groups, "create"],
      [groups, groups, "keep"],
      [groups, {}, "delete"],
    ] as const)
      assert.deepEqual(
        plan(from, to).map((each) => [each.userGroupId, each.action]),
        ["constructor", "__proto__"].map((id) => [id, action]),
      );
  });

  for (const [what, news, removed] of [
    ["a group", { a: unknown }, undefined],
    ["a part of a field", { a: { ...a, properties: { seats: { of: unknown } } } }, undefined],
    ["the argument removed", {}, unknown],
  ] as const)
    it(`is uncertain if ${what} is unknown, and then within any limit`, () => {
      const [change, ...others] = plan({ a }, news, { removed });
      assert.deepEqual([change?.isUncertain, others], [true, []]);
      if (change) enforceDeletionLimit([change], 0);
    });

  it("of a move is uncertain if the connection is, and leaves the groups with removed: retain", () => {
    const groups = new Map([["a", a]]);
    const uncertain = planMove(stateOf({ a }), undefined, { groups, connection: unknown });
    assert(uncertain.every(({ isUncertain }) => isUncertain));
    const actions = planMove(stateOf({ a }), "retain", { groups }).map(({ action }) => action);
    assert.deepEqual(actions, ["create", "release"]);
  });

  const imported = { mapping: undefined, unknown: ["mapping"] };
  for (const [what, state, change, expected] of [
    ["a mapping that an import didn't know", imported, {}, "change state"],
    ["no mapping, which an import didn't know", imported, { mapping: null }, "keep"],
    ["a drift that the program has taken over", { lastSent: { name: "F" } }, {}, "change state"],
    ["a doubt", { doubt: true }, {}, "settle"],
  ] as const)
    it(`does "${expected}" for ${what}`, () => {
      const changes = plan({ a: { ...a, ...state } }, { a: { ...a, ...change } });
      assert.deepEqual(
        changes.map(({ action }) => action),
        [expected],
      );
    });

  it("counts a new token with overlap as a deletion, but not the former group", () => {
    const former = [{ providedId: "a~2", token: "t2", name: "F", since: "2026-01-02T00:00:00Z" }];
    const changed = plan({ a: { ...a, former } }, { a: { ...a, name: "B" } }, { overlap: true });
    const isLimit = ({ message }: Error) => /1 user groups .*\[deletion-limit\]/.test(message);
    assert.throws(() => {
      enforceDeletionLimit(changed, 0);
    }, isLimit);
    enforceDeletionLimit(plan({ a: { ...a, former } }, { a }), 0);
  });
});

it("the announcement of a plan tells what is uncertain, with the first few of each kind", () => {
  const { warnings, logger, ...deployment } = testDeployment();
  const groups = many(7, { name: "Old" });
  const tokens = Object.fromEntries(Object.keys(groups).map((id) => [id, "t"]));
  const news = { groups: { ...many(6, { name: "New" }), t6: { name: unknown } } };
  const request = { resource: "urn", id: "user-groups", olds: { groups, tokens }, news };
  announce(userGroupsShape, planDiff(userGroupsShape, request, { ...deployment, logger }), logger);
  const recreated = "to delete and create again with a new token";
  const [six, one] = ['("t0", "t1", "t2", "t3", "t4" and 1 more)', '("t6")'];
  assert.deepEqual(warnings, [
    `user groups in this change: 6 ${recreated} ${six}, possibly 1 ${recreated} ${one}. [planned-changes]`,
  ]);
});

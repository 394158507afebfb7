/** Plans that no program of the contract suite shows. */
import assert from "node:assert/strict";
import { enforceDeletionLimit } from "../../../provider/src/core/set/diff";
import { planChanges } from "../../../provider/src/core/set/plan";
import { userGroupsShape } from "../../../provider/src/core/state/shapes";
import type { StoredGroup } from "../../../provider/src/core/state/group";
import { isObject, propertiesOf, unknownValue as unknown } from "../../../provider/src/values";

/** The plan of a change from and to some groups. */
function plan(olds: unknown, news: unknown, rules: { removed?: unknown; overlap?: unknown } = {}) {
  const { groups = new Map() } = userGroupsShape.wantedIn({ groups: news });
  const now = Date.parse("2026-01-02T12:00:00Z");
  return planChanges(stateOf(olds), { wanted: { groups, ...rules }, changes: "replace", now });
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
  const named: unknown = JSON.parse('{ "constructor": { "name": "C" }, "__proto__": { "name": "P" } }');
  const imported = { mapping: undefined, unknown: ["mapping"] };
  const drifted = { a: { ...a, sent: { name: "F" } } };
  for (const [what, olds, news, action] of [
    ["new groups, whatever their IDs", {}, named, "create"],
    ["the same groups, whatever their IDs", named, named, "keep"],
    ["groups that leave, whatever their IDs", named, {}, "delete"],
    ["a mapping that an import didn't know", { a: { ...a, ...imported } }, { a }, "change state"],
    ["no mapping either", { a: { ...a, ...imported } }, { a: { ...a, mapping: null } }, "keep"],
    ["no keepers, which an import didn't know", { a: { ...a, unknown: ["keepers"] } }, { a }, "change state"],
    ["a drift that the program has taken over", drifted, { a }, "change state"],
    ["a doubt", { a: { ...a, doubt: true } }, { a }, "settle"],
  ] as const)
    it(`does only "${action}" for ${what}`, () => {
      const changes = plan(olds, news);
      assert.equal(changes.length, [olds, news].includes(named) ? 2 : 1);
      assert(changes.every((each) => each.action === action));
    });

  for (const [what, news, removed] of [
    ["a group", { a: unknown }, undefined],
    ["a part of a field", { a: { ...a, properties: { seats: { of: unknown } } } }, undefined],
    ["the argument removed", {}, unknown],
  ] as const)
    it(`is uncertain if ${what} is unknown, and then within any limit`, () => {
      const changes = plan({ a }, news, { removed });
      assert.deepEqual(
        changes.map(({ isUncertain }) => isUncertain),
        [true],
      );
      enforceDeletionLimit(changes, 0);
    });
});

import assert from "node:assert/strict";
import { announce } from "../../../provider/src/core/set/announce";
import { planDiff } from "../../../provider/src/core/set/diff";
import { enforceDeletionLimit, planChanges, planMove } from "../../../provider/src/core/set/plan";
import type { Action } from "../../../provider/src/core/state/changes";
import { userGroupsShape } from "../../../provider/src/core/state/shapes";
import type { StoredGroup } from "../../../provider/src/core/state/storedGroup";
import { isObject, propertiesOf, unknownValue as unknown } from "../../../provider/src/values";
import { many } from "../../harness/providers";
import { testDeployment } from "../../harness/testDeployment";

const now = Date.parse("2026-01-02T12:00:00Z");

interface PlanRules {
  readonly changes?: "replace" | "update";
  readonly removed?: unknown;
  readonly overlap?: unknown;
  readonly overlapHours?: unknown;
}

/** The plan of a change from and to some groups. */
function plan(olds: unknown, news: unknown, { changes = "replace", ...wanted }: PlanRules = {}) {
  const { groups = new Map() } = userGroupsShape.wantedIn({ groups: news });
  return planChanges(stateOf(olds), { groups, ...wanted }, { changes, now });
}

function stateOf(groups: unknown): Map<string, StoredGroup> {
  const recorded = (userGroupId: string) => ({
    ...{ userGroupId, providedId: userGroupId },
    ...{ name: "", token: "another", adopted: false },
  });
  return new Map(
    Object.entries(isObject(groups) ? groups : {}).map(([id, group]) => [
      id,
      { ...recorded(id), ...propertiesOf(group) },
    ]),
  );
}

const a = { name: "A", mapping: { sales: 1 }, properties: { seats: { of: 2 } }, keepers: { rotation: "1" } };

describe("the plan of a change of groups", () => {
  const change = (news: object, changes: "replace" | "update" = "replace") => {
    const [{ action, fields, isUncertain } = assert.fail("no change")] = plan(
      { a },
      { a: news },
      { changes },
    );
    return [action, fields.join(), isUncertain];
  };
  const cases: [what: string, change: object, action: Action, withUpdate: Action, fields: string][] = [
    ["nothing", {}, "keep", "keep", ""],
    ["a null field", { dataSourceProvidedId: null }, "keep", "keep", ""],
    ["the name", { name: "B" }, "recreate", "update", "name"],
    ["the mapping", { mapping: { sales: "1" } }, "recreate", "update", "mapping"],
    ["the properties", { properties: { seats: { of: 3 } } }, "recreate", "update", "properties"],
    ["no properties", { properties: undefined }, "recreate", "update", "properties"],
    ["the source", { dataSourceProvidedId: "b" }, "change state", "change state", "dataSourceProvidedId"],
    ["a keeper", { keepers: { rotation: "2" } }, "recreate", "recreate", "keepers"],
    ["no keepers", { keepers: {} }, "recreate", "recreate", "keepers"],
    ["a keeper and the name", { keepers: undefined, name: "B" }, "recreate", "recreate", "name,keepers"],
  ];
  for (const [what, fields, action, withUpdate, names] of cases)
    it(`does "${action}" for ${what}, and "${withUpdate}" with changes: update`, () => {
      assert.deepEqual(change({ ...a, ...fields }), [action, names, false]);
      assert.deepEqual(change({ ...a, ...fields }, "update"), [withUpdate, names, false]);
    });

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
    ["a field", { a: { ...a, name: unknown } }, undefined],
    ["a part of a field", { a: { ...a, properties: { seats: { of: unknown } } } }, undefined],
    ["the argument removed", {}, unknown],
  ] as const)
    it(`is uncertain if ${what} is unknown, and then within any limit`, () => {
      const [change, ...others] = plan({ a }, news, { removed });
      assert.deepEqual([change?.isUncertain, others], [true, []]);
      if (change) enforceDeletionLimit([change], 0);
    });

  it("of a move creates all groups, then deletes all of the former service", () => {
    const olds = stateOf({ a });
    const groups = new Map<string, object>([
      ["a", a],
      ["b", { name: "B" }],
    ]);
    const move = planMove(olds, undefined, { groups, connection: "eu" });
    assert.deepEqual(
      move.map(({ userGroupId, action, isUncertain }) => `${action} ${userGroupId} ${isUncertain}`),
      ["create a false", "create b false", "delete a false"],
    );
    const uncertain = planMove(olds, undefined, { groups: new Map([["a", a]]), connection: unknown });
    assert(uncertain.every(({ isUncertain }) => isUncertain));
    const [, retained] = planMove(olds, "retain", { groups: new Map([["a", a]]) });
    assert.equal(retained?.action, "release");
  });

  const former = { providedId: "a~2", token: "t2", name: "F", since: "2026-01-02T00:00:00Z" };
  const taken = { ...former, ...a };
  const overlap = { overlap: true };
  const day = { overlap: true, overlapHours: 24 };
  const imported = { mapping: undefined, unknown: ["mapping"] };
  const stateCases: [what: string, state: object, change: object, rules: PlanRules, expected: string][] = [
    ["a change with overlap", {}, { name: "B" }, overlap, "renew"],
    [
      "keepers with overlap and changes: update",
      {},
      { keepers: {} },
      { ...overlap, changes: "update" },
      "renew",
    ],
    [
      "a name with overlap and changes: update",
      {},
      { name: "B" },
      { ...overlap, changes: "update" },
      "update",
    ],
    ["a change of a group with another ID", { providedId: "a~1" }, { name: "B" }, {}, "renew"],
    ["a former group", { former: [former] }, {}, {}, "keep, over a~2"],
    ["a former group, overlapHours 0", { former: [former] }, {}, overlap, "keep, over a~2"],
    ["a former group within its time", { former: [former] }, {}, day, "keep, waiting a~2"],
    ["a change beside a former group", { former: [former] }, { name: "B" }, overlap, "renew, over a~2"],
    ["the values of a former group", { name: "B", former: [taken] }, {}, day, "renew, revival"],
    ["a mapping that an import didn't know", imported, {}, {}, "change state"],
    ["no mapping, which an import didn't know", imported, { mapping: null }, {}, "keep"],
    ["a drift that the program has taken over", { lastSent: { name: "F" } }, {}, {}, "change state"],
    ["a doubt", { doubt: true }, {}, {}, "settle"],
    ["a change beside a doubt", { doubt: true }, { name: "B" }, {}, "recreate"],
  ];
  for (const [what, state, change, rules, expected] of stateCases)
    it(`does "${expected}" for ${what}`, () => {
      const [planned = assert.fail("no change")] = plan(
        { a: { ...a, ...state } },
        { a: { ...a, ...change } },
        rules,
      );
      const ids = (groups: typeof planned.over) => groups.map(({ providedId }) => providedId);
      const others = [
        ...ids(planned.over).map((id) => `, over ${id}`),
        ...ids(planned.waiting).map((id) => `, waiting ${id}`),
        ...(planned.isRevival ? [", revival"] : []),
      ];
      assert.equal([planned.action, ...others].join(""), expected);
    });

  it("counts a new token with overlap as a deletion, but not the former group", () => {
    const changed = plan({ a: { ...a, former: [former] } }, { a: { ...a, name: "B" } }, overlap);
    const isLimit = ({ message }: Error) => /1 user groups .*\[deletion-limit\]/.test(message);
    assert.throws(() => {
      enforceDeletionLimit(changed, 0);
    }, isLimit);
    enforceDeletionLimit(plan({ a: { ...a, former: [former] } }, { a }), 0);
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

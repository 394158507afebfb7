import assert from "node:assert/strict";
import { Claims, keyOf } from "../../../provider/src/core/claims";
import type { StoredGroup } from "../../../provider/src/core/drift";
import {
  announceMany,
  enforceDeletionLimit,
  planChanges,
  planMove,
  type Action,
} from "../../../provider/src/core/plan";
import { userGroupsShape } from "../../../provider/src/core/shapes";
import { isObject, propertiesOf, unknownValue as unknown } from "../../../provider/src/values";
import { many } from "../../harness/providers";

const claims = new Claims();

/** The plan of a change from and to some groups. */
function plan(olds: unknown, news: unknown, { changes = "replace", removed, overlap }: PlanRules = {}) {
  const { groups = new Map() } = userGroupsShape.wantedIn({ groups: news });
  return planChanges(stateOf(olds), { groups, removed, overlap }, { changes, claims, connection: undefined });
}

function stateOf(groups: unknown): Map<string, StoredGroup> {
  const recorded = (userGroupId: string) => ({
    userGroupId,
    providedId: userGroupId,
    name: "",
    token: "another",
    adopted: false,
  });
  return new Map(
    Object.entries(isObject(groups) ? groups : {}).map(([id, group]) => [
      id,
      { ...recorded(id), ...propertiesOf(group) },
    ]),
  );
}

interface PlanRules {
  readonly changes?: "replace" | "update";
  readonly removed?: unknown;
  readonly overlap?: unknown;
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

  it("recreates a group that another resource has deleted, and stores a drift that the program has taken over", () => {
    const deleted = new Claims();
    deleted.delete(keyOf(undefined, "a"), { providedId: "a", token: "t" });
    const actionOf = (state: object, known: Claims) =>
      planChanges(
        stateOf({ a: { ...a, ...state } }),
        { groups: new Map([["a", a]]) },
        { changes: "replace", claims: known, connection: undefined },
      )[0]?.action;
    assert.equal(actionOf({ token: "t" }, deleted), "recreate");
    assert.equal(actionOf({ token: "t", lastSent: { name: "Former" } }, claims), "change state");
  });

  const former = { providedId: "a~2", token: "t2" };
  const overlap = { overlap: true };
  const overlapOfUpdate = { overlap: true, changes: "update" } as const;
  const imported = { mapping: undefined, unknown: ["mapping"] };
  for (const [what, state, change, rules, expected] of [
    ["a change with overlap", {}, { name: "B" }, overlap, "overlap"],
    ["keepers with overlap and changes: update", {}, { keepers: {} }, overlapOfUpdate, "overlap"],
    ["a name with overlap and changes: update", {}, { name: "B" }, overlapOfUpdate, "update"],
    ["a former group", { former }, {}, {}, "keep, without the former"],
    ["a change beside a former group", { former }, { name: "B" }, overlap, "overlap, without the former"],
    ["a mapping that an import didn't know", imported, {}, {}, "change state"],
    ["no mapping, which an import didn't know", imported, { mapping: null }, {}, "keep"],
    ["a doubt", { lastChange: "unknown" }, {}, {}, "settle"],
    ["a failed change that is taken back", { lastChange: "failed" }, {}, {}, "change state"],
    ["a change beside a doubt", { lastChange: "unknown" }, { name: "B" }, {}, "recreate"],
  ] as const)
    it(`does "${expected}" for ${what}`, () => {
      const [planned] = plan({ a: { ...a, ...state } }, { a: { ...a, ...change } }, rules);
      const suffix = planned?.dropsFormer ? ", without the former" : "";
      assert.equal(`${planned?.action}${suffix}`, expected);
    });

  it("counts a new token with overlap as a deletion, but not the former group", () => {
    const changed = plan({ a: { ...a, former } }, { a: { ...a, name: "B" } }, { overlap: true });
    const isLimit = ({ message }: Error) => /1 user groups .*\[deletion-limit\]/.test(message);
    assert.throws(() => {
      enforceDeletionLimit(changed, 0);
    }, isLimit);
    enforceDeletionLimit(plan({ a: { ...a, former } }, { a }), 0);
  });
});

it("the announcement of a plan tells what is uncertain, with the first few of each kind", () => {
  const lines: string[] = [];
  const news = { ...many(6, { name: "New" }), t6: { name: unknown } };
  announceMany(plan(many(7, { name: "Old" }), news), {
    info: () => assert.fail("no warning"),
    warn: (line) => void lines.push(line),
  });
  const recreated = "to delete and create again with a new token";
  const [six, one] = ['("t0", "t1", "t2", "t3", "t4" and 1 more)', '("t6")'];
  assert.deepEqual(lines, [
    `user groups in this change: 6 ${recreated} ${six}, possibly 1 ${recreated} ${one}. [planned-changes]`,
  ]);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  enforceDeletionLimit,
  planMove,
  planSteps,
  type Fate,
  type Rules,
} from "../../../provider/src/provider/plan";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const replacing: Rules = { changes: "replace", removed: undefined };
const rewritten = "delete and create again with another token";

describe("the plan of a change of groups", () => {
  const olds = { a: { name: "A", mapping: { sales: 1 }, properties: { seats: { of: 2 } } } };
  const fateOf = (news: object, rules: Partial<Rules> = {}): Fate[] =>
    planSteps(olds, news, { ...replacing, ...rules }).map(({ fate }) => fate);

  for (const [change, group, fields] of [
    ["name", { ...olds.a, name: "B" }, ["name"]],
    ["mapping", { ...olds.a, mapping: { sales: "1" } }, ["mapping"]],
    ["properties", { ...olds.a, properties: { seats: { of: 3 } } }, ["properties"]],
    ["name, by one that is left out", { name: "B" }, ["name", "mapping", "properties"]],
  ] as const) {
    it(`creates again a group with another ${change}, unless the service updates`, () => {
      const [step] = planSteps(olds, { a: group }, replacing);
      assert.deepEqual(step, { userGroupId: "a", fate: rewritten, fields: [...fields], isUncertain: false });
      assert.deepEqual(fateOf({ a: group }, { changes: "update" }), ["update"]);
    });
  }

  it("creates what is added and deletes what leaves, or forgets it", () => {
    assert.deepEqual(fateOf({ b: { name: "B" } }), ["delete", "create"]);
    assert.deepEqual(fateOf({ b: { name: "B" } }, { removed: "retain" }), ["forget", "create"]);
    assert.deepEqual(fateOf({}, { removed: "delete" }), ["delete"]);
  });

  it("only records another data source for the deletion", () => {
    assert.deepEqual(fateOf({ a: { ...olds.a, dataSourceProvidedId: "tab" } }), ["record"]);
  });

  it("takes an absent field for one that is null", () => {
    assert.deepEqual(fateOf({ a: { ...olds.a, dataSourceProvidedId: null } }), ["keep"]);
  });

  it("keeps every group, whatever the order of the groups and their keys", () => {
    const group = fc.record(
      { name: fc.string(), properties: fc.dictionary(fc.string(), fc.jsonValue()) },
      { requiredKeys: ["name"] },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), group), (groups) => {
        const steps = planSteps(groups, reversed(groups), replacing);
        assert.equal(steps.length, Object.keys(groups).length);
        assert(steps.every(({ fate }) => fate === "keep"));
      }),
    );
  });

  it("knows no groups but the ones given, whatever they are called", () => {
    const groups: unknown = JSON.parse('{ "constructor": { "name": "C" }, "__proto__": { "name": "P" } }');
    const fates = (from: unknown, to: unknown) =>
      planSteps(from, to, replacing).map(({ userGroupId, fate }) => [userGroupId, fate]);
    const each = (fate: Fate) => ["constructor", "__proto__"].map((id) => [id, fate]);
    assert.deepEqual(fates({}, groups), each("create"));
    assert.deepEqual(fates(groups, groups), each("keep"));
    assert.deepEqual(fates(groups, {}), each("delete"));
  });

  for (const [what, news, rules] of [
    ["a whole group", { a: unknown }, {}],
    ["a field", { a: { ...olds.a, name: unknown } }, {}],
    ["a part of a field", { a: { ...olds.a, properties: { seats: { of: unknown } } } }, {}],
    ["what becomes of a group that leaves", {}, { removed: unknown }],
  ] as const) {
    it(`is uncertain where ${what} isn't known yet`, () => {
      const [step] = planSteps(olds, news, { ...replacing, ...rules });
      assert(step?.isUncertain);
      assert.match(step.fate, /^delete/);
      enforceDeletionLimit([step], 0);
    });
  }

  it("creates all in another service, and deletes all in the former one", () => {
    const steps = planMove(olds, { a: olds.a, b: { name: "B" } }, "eu");
    assert.deepEqual(
      steps.map(({ userGroupId, fate, isUncertain }) => [userGroupId, fate, isUncertain]),
      [
        ["a", "create", false],
        ["b", "create", false],
        ["a", "delete", false],
      ],
    );
    assert(planMove(olds, olds, unknown).every(({ isUncertain }) => isUncertain));
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

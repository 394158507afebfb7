import assert from "node:assert/strict";
import fc from "fast-check";
import {
  enforceDeletionLimit,
  forecast,
  planMove,
  planSteps,
  type Fate,
  type Rules,
} from "../../../provider/src/provider/plan";
import { withWarnings } from "../world";

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

describe("the limit of deletions", () => {
  const steps = planSteps(
    { a: { name: "A" }, b: { name: "B" }, c: { name: "C" } },
    { a: { name: "X" }, d: {} },
    replacing,
  );

  it("counts groups that are created again with those that go", () => {
    assert.throws(
      () => {
        enforceDeletionLimit(steps, 2);
      },
      {
        code: "deletion-limit",
        message: /would delete 3 user groups \("b", "c", "a"\).*deletionLimit is 2.*\[deletion-limit\]$/,
      },
    );
  });

  it("allows as many as it says, and any number where it isn't given or known", () => {
    for (const limit of [3, undefined, unknown]) enforceDeletionLimit(steps, limit);
  });
});

describe("the forecast of a change", () => {
  const linesOf = async (olds: object, news: object, rules: Partial<Rules> = {}) => {
    let lines: readonly string[] = [];
    await withWarnings((warnings) => {
      forecast(planSteps(olds, news, { ...replacing, ...rules }));
      lines = [...warnings];
      return Promise.resolve();
    });
    return lines;
  };
  const many = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, { name }]));

  it("is one line, with the first few of each kind", async () => {
    assert.deepEqual(
      await linesOf({ ...many(7, "Old"), gone: { name: "G" } }, { ...many(7, "New"), added: { name: "A" } }),
      [
        'warning: user groups in this change: 1 to create ("added"), 1 to delete ("gone"), 7 to delete and create ' +
          'again with another token ("t0", "t1", "t2", "t3", "t4" and 2 more).\n',
      ],
    );
  });

  it("sets apart what rests on values that aren't known yet", async () => {
    const news = { t0: { name: "New" }, t1: { name: unknown }, t2: { name: "Old" } };
    assert.deepEqual(await linesOf(many(3, "Old"), news), [
      'warning: user groups in this change: 1 to delete and create again with another token ("t0"), ' +
        'perhaps 1 to delete and create again with another token ("t1").\n',
    ]);
  });

  it("is no warning where nothing is deleted", async () => {
    const news = { ...many(1, "New"), added: { name: "A" } };
    assert.deepEqual(await linesOf(many(2, "Old"), news, { changes: "update", removed: "retain" }), [
      'user groups in this change: 1 to create ("added"), 1 to update ("t0"), 1 to forget ("t1").\n',
    ]);
  });

  it("says nothing where nothing happens to a group", async () => {
    assert.deepEqual(await linesOf(many(2, "Old"), many(2, "Old")), []);
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

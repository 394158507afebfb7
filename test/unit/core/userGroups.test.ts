import assert from "node:assert/strict";
import { userGroups } from "../../../provider/src/provider";
import { inEnvironment } from "../environment";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const offline = (test: () => Promise<void>) => inEnvironment({}, test);

describe("UserGroups, check", () => {
  const failuresOf = async (news: object) => {
    const { failures = [] } = await userGroups.check({}, { ...news, __provider: "text" });
    return failures.map(({ property, reason }) => `${property}: ${reason}`);
  };

  it(
    "passes what is right, without the SDK's own properties, and with no settings",
    offline(async () => {
      const news = {
        groups: { "a.b": { name: "A", mapping: null }, constructor: { name: "C" } },
        adopt: false,
      };
      const { inputs, failures } = await userGroups.check({}, { ...news, __provider: "text", removed: null });
      assert.deepEqual(failures, []);
      assert.deepEqual(inputs, news);
    }),
  );

  it(
    "reports each flaw at its place",
    offline(async () => {
      const groups = {
        a: { name: "" },
        b: { nam: "B" },
        c: { name: "C", mapping: { sales: true }, properties: [], dataSourceProvidedId: 7 },
        d: "D",
      };
      assert.deepEqual((await failuresOf({ groups })).sort(), [
        "groups.a.name: must not be empty",
        "groups.b.nam: is not an argument",
        "groups.b.name: is required",
        "groups.c.dataSourceProvidedId: must be a string",
        "groups.c.mapping.sales: must be a string or a number",
        "groups.c.properties: must be an object",
        "groups.d: must be an object",
      ]);
    }),
  );

  it(
    "names a wrong argument in the reason, because the engine would print its value",
    offline(async () => {
      const wrong = { groups: {}, removed: "keep", deletionLimit: -1, adopt: "yes", extra: 1 };
      assert.deepEqual((await failuresOf(wrong)).sort(), [
        ": property adopt must be true or false",
        ": property deletionLimit must not be negative",
        ": property extra is not an argument",
        ': property removed must be "delete" or "retain"',
      ]);
      assert.deepEqual(await failuresOf({ groups: [] }), [
        ": property groups must be an object of userGroupId to group",
      ]);
      assert.deepEqual(await failuresOf({ deletionLimit: 0.5, groups: {} }), [
        ": property deletionLimit must be a whole number",
      ]);
    }),
  );

  it(
    "reports the first twenty of many flaws, and how many more there are",
    offline(async () => {
      const groups = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`t${n}`, { name: "" }]));
      const failures = await failuresOf({ groups });
      assert.equal(failures.length, 21);
      assert.equal(failures[20], ": 980 more properties are wrong");
    }),
  );

  for (const [what, groups] of [
    ["the whole map", unknown],
    ["a group", { a: unknown }],
    ["a field", { a: { name: unknown, mapping: unknown } }],
    ["a part of a field", { a: { name: "A", mapping: { sales: unknown }, properties: { deep: [unknown] } } }],
  ] as const) {
    it(
      `passes ${what} that isn't known yet`,
      offline(async () => {
        assert.deepEqual(await failuresOf({ groups, removed: unknown, deletionLimit: unknown }), []);
      }),
    );
  }
});

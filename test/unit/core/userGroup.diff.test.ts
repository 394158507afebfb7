import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { unknownValue as unknown } from "../../../provider/src/values";
import { failureOf, inContext } from "../../harness/providers";
import { canonical, fewJson, reversed } from "../json";
import { acme } from "./everyService";

const args = {
  ...acme,
  keepers: { a: "1" },
  dataSourceProvidedId: "warehouse",
  adopt: true,
  connection: "eu",
};
const state = { ...args, token: "t0ken", adopted: true, baseUrl: "https://eu.example" };
const env = { USER_GROUPS_EU_BASE_URL: "https://eu.example/", USER_GROUPS_US_BASE_URL: "https://us.example" };

/** The diff of changed arguments in a deployment, and the lines that it logs. */
function diffs(
  change: object,
  expected: { changes: boolean; replaces?: string[]; deleteBeforeReplace?: boolean },
  { lines = [], update = false }: { lines?: string[]; update?: boolean } = {},
) {
  return inContext({ env: { ...env, USER_GROUPS_EU_CHANGES: update ? "update" : "" } }, async (context) => {
    const news = { ...args, ...change };
    await context.userGroup.check(news, args, "one");
    const diff = await context.userGroup.diff(state, news);
    assert.deepEqual(diff, { replaces: [], deleteBeforeReplace: true, ...expected });
    assert.deepEqual([context.lines, context.emulator.connections], [lines, 0]);
  });
}

describe("UserGroup, diff", () => {
  const same: [what: string, change: object][] = [
    ["the same arguments", {}],
    [
      "another order of keys, at any depth",
      {
        mapping: { finance: 7, sales: "warehouse" },
        properties: { nested: { list: [1, "two"], none: null }, region: "eu" },
      },
    ],
  ];
  for (const [what, change] of same) it(`sees no change in ${what}`, diffs(change, { changes: false }));

  const replacing: [what: string, change: object, field: string][] = [
    ["another name", { name: "Acme Ltd" }, "name"],
    ["another data source in mapping", { mapping: { ...acme.mapping, sales: "lake" } }, "mapping"],
    ["a string for a number in mapping", { mapping: { ...acme.mapping, finance: "7" } }, "mapping"],
    ["one more entry of mapping", { mapping: { ...acme.mapping, hr: 1 } }, "mapping"],
    ["no mapping", { mapping: null }, "mapping"],
    ["an empty mapping", { mapping: {} }, "mapping"],
    ["another property", { properties: { ...acme.properties, region: "us" } }, "properties"],
    [
      "another order of a list",
      { properties: { ...acme.properties, nested: { none: null, list: ["two", 1] } } },
      "properties",
    ],
    [
      "a property less that was null",
      { properties: { ...acme.properties, nested: { list: [1, "two"] } } },
      "properties",
    ],
    ["no properties", { properties: undefined }, "properties"],
    ["an unknown name", { name: unknown }, "name"],
    ["an unknown property", { properties: { ...acme.properties, region: unknown } }, "properties"],
  ];
  const sentence = (fields: string, change: string) =>
    `warning: user group "acme" is deleted and created again, and gets a new token, because its ${fields} ${change}.`;
  for (const [what, change, field] of replacing) {
    const lines = [sentence(field, field === "properties" ? "change" : "changes")];
    it(
      `replaces for ${what}, deletion first, with a warning`,
      diffs(change, { changes: true, replaces: [field] }, { lines }),
    );
    it(`updates for ${what} with changes: update`, diffs(change, { changes: true }, { update: true }));
  }

  for (const update of [false, true])
    for (const keepers of [{ a: "2" }, {}, undefined])
      it(
        `replaces for keepers ${JSON.stringify(keepers)}, with changes: ${update ? "update" : "replace"} as well`,
        diffs(
          { keepers },
          { changes: true, replaces: ["keepers"] },
          { lines: [sentence("keepers", "change")], update },
        ),
      );

  it(
    "names all fields that change in one line",
    diffs(
      { name: "B", mapping: {}, properties: {}, adopt: false },
      { changes: true, replaces: ["name", "mapping", "properties"] },
      { lines: [sentence("name and mapping and properties", "change")] },
    ),
  );

  const moves: [change: object, replaces: string[]][] = [
    [{ userGroupId: "acme-2" }, ["userGroupId"]],
    [{ userGroupId: unknown }, ["userGroupId"]],
    [{ userGroupId: "acme-2", name: "B" }, ["userGroupId", "name"]],
    [{ connection: "us" }, ["connection"]],
    [{ connection: null }, ["connection"]],
    [{ connection: unknown }, ["connection"]],
  ];
  for (const [change, replaces] of moves)
    it(
      `replaces by another group for ${JSON.stringify(change)}, creation first`,
      diffs(change, { changes: true, replaces, deleteBeforeReplace: false }),
    );

  for (const change of [
    { dataSourceProvidedId: "lake" },
    { dataSourceProvidedId: null },
    { adopt: false },
    { adopt: null },
  ])
    it(`changes the state only for ${JSON.stringify(change)}`, diffs(change, { changes: true }));

  it(
    "changes the state only for another connection to the same address, and for a service that has moved",
    inContext({ env }, async ({ environment, userGroup }) => {
      environment["USER_GROUPS_US_BASE_URL"] = "https://EU.example:443/";
      const stateOnly = { changes: true, replaces: [], deleteBeforeReplace: true };
      assert.deepEqual(await userGroup.diff(state, { ...args, connection: "us" }), stateOnly);
      environment["USER_GROUPS_EU_BASE_URL"] = "https://new.example";
      assert.equal((await failureOf(userGroup.diff(state, args))).code, "service-changed");
      environment["USER_GROUPS_EU_FORMER_BASE_URL"] = "https://eu.example";
      assert.deepEqual(await userGroup.diff(state, args), stateOnly);
    }),
  );

  it(
    "goes by the ID of the resource, and rewrites a state of another provider",
    inContext({ env }, async ({ userGroup: { provider } }) => {
      const { replaces } = await provider.diff("acme-2", state, args);
      assert.deepEqual(replaces, ["userGroupId"]);
      const diff = { changes: true, replaces: [], deleteBeforeReplace: true };
      assert.deepEqual(
        await provider.diff("acme", { ...state, __provider: "theirs" }, { ...args, __provider: "ours" }),
        diff,
      );
      assert.deepEqual(await provider.diff("acme", { ...state, userGroupId: undefined }, args), {
        ...diff,
        changes: false,
      });
    }),
  );

  it(
    "warns only if there is a program, which a refresh doesn't have",
    inContext({ env }, async ({ lines, userGroup }) => {
      await userGroup.diff(state, { ...args, name: "B" });
      assert.deepEqual(lines, []);
    }),
  );

  it(
    "sees each change of an argument, and nothing else",
    inContext({}, async ({ userGroup }) => {
      const few = fc.constantFrom("a", "b");
      const record = z.record(z.string(), z.unknown());
      const anyArgs = fc.record(
        {
          name: few,
          mapping: fc.dictionary(few, fc.constantFrom("a", "1", 1), { maxKeys: 2 }),
          properties: fc.dictionary(few, fewJson, { maxKeys: 3 }),
          keepers: fc.dictionary(few, few, { maxKeys: 2 }),
          dataSourceProvidedId: few,
          adopt: fc.boolean(),
          connection: few,
        },
        { requiredKeys: ["name"] },
      );
      await fc.assert(
        fc.asyncProperty(anyArgs, fc.option(anyArgs), fc.boolean(), async (old, other, isReversed) => {
          const news = record.parse(other ?? (isReversed ? reversed(old) : old));
          const stored = { ...old, userGroupId: "acme", token: "t", adopted: false };
          const diff = z
            .object({ changes: z.boolean(), replaces: z.array(z.string()) })
            .parse(await userGroup.diff(stored, { ...news, userGroupId: "acme" }));
          const fields = Object.keys({ ...old, ...news });
          const changed = fields.filter((key) => canonical(Reflect.get(old, key)) !== canonical(news[key]));
          assert.equal(diff.changes, changed.length > 0);
          const replacing = changed.filter((key) => !["dataSourceProvidedId", "adopt"].includes(key));
          assert.deepEqual([...diff.replaces].sort(), replacing.sort());
        }),
        { numRuns: 300 },
      );
    }),
  );
});

import assert from "node:assert/strict";
import { userGroup } from "../../../provider/src/provider";
import { inEnvironment } from "../environment";
import { inWorld, withWarnings } from "../world";
import { acme, configure } from "./oneGroup";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const args = { ...acme, dataSourceProvidedId: "warehouse", adopt: true, connection: "eu" };
const recorded = { ...args, token: "t0ken", adopted: true };

describe("UserGroup, diff", () => {
  beforeEach(() => configure());

  it(
    "sees no change in the same arguments",
    diffs({}, { changes: false, replaces: [], deleteBeforeReplace: true }),
  );

  it(
    "sees no change in another order of keys, at any depth",
    diffs(
      {
        mapping: { finance: 7, sales: "warehouse" },
        properties: { nested: { list: [1, "two"], none: null }, region: "eu" },
      },
      { changes: false, replaces: [], deleteBeforeReplace: true },
    ),
  );

  const replacing: [what: string, change: object, field: string][] = [
    ["another name", { name: "Acme Ltd" }, "name"],
    ["another data source in mapping", { mapping: { ...acme.mapping, sales: "lake" } }, "mapping"],
    ["a text for a number in mapping", { mapping: { ...acme.mapping, finance: "7" } }, "mapping"],
    ["one more entry of mapping", { mapping: { ...acme.mapping, hr: 1 } }, "mapping"],
    ["no mapping", { mapping: null }, "mapping"],
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
    ["a name that isn't known yet", { name: unknown }, "name"],
    [
      "a property that isn't known yet",
      { properties: { ...acme.properties, region: unknown } },
      "properties",
    ],
  ];
  for (const [what, change, field] of replacing) {
    it(
      `replaces for ${what}, and says what becomes of the group`,
      diffs(
        change,
        { changes: true, replaces: [field], deleteBeforeReplace: true },
        `warning: user group "acme" is deleted and created again, and gets a new token, because its ${field} ${field === "properties" ? "change" : "changes"}.\n`,
      ),
    );

    it(
      `updates for ${what} where the service is known to`,
      diffs(change, { changes: true, replaces: [], deleteBeforeReplace: true }, undefined, {
        USER_GROUPS_EU_CHANGES: "update",
      }),
    );
  }

  it(
    "names all that changes, in one line",
    diffs(
      { name: "B", mapping: {}, properties: {}, adopt: false },
      { changes: true, replaces: ["name", "mapping", "properties"], deleteBeforeReplace: true },
      'warning: user group "acme" is deleted and created again, and gets a new token, because its name and mapping ' +
        "and properties change.\n",
    ),
  );

  for (const [field, change] of [
    ["userGroupId", { userGroupId: "acme-2" }],
    ["userGroupId", { userGroupId: unknown }],
    ["connection", { connection: "us" }],
    ["connection", { connection: null }],
  ] as const) {
    it(
      `replaces by another group for ${JSON.stringify(change)}, and creates that first`,
      diffs(change, { changes: true, replaces: [field], deleteBeforeReplace: false }),
    );
  }

  it(
    "replaces by another group whatever else changes",
    diffs(
      { userGroupId: "acme-2", name: "B" },
      { changes: true, replaces: ["userGroupId", "name"], deleteBeforeReplace: false },
    ),
  );

  for (const change of [
    { dataSourceProvidedId: "lake" },
    { dataSourceProvidedId: null },
    { adopt: false },
    { adopt: null },
  ]) {
    it(
      `changes the record alone for ${JSON.stringify(change)}`,
      diffs(change, { changes: true, replaces: [], deleteBeforeReplace: true }),
    );
  }

  it(
    "goes by the ID of the resource, whatever the record says",
    inEnvironment({}, async () => {
      const { replaces } = await userGroup.diff("acme-2", recorded, args);
      assert.deepEqual(replaces, ["userGroupId"]);
      const { changes } = await userGroup.diff("acme", { ...recorded, userGroupId: undefined }, args);
      assert.equal(changes, false);
    }),
  );

  it(
    "makes no request",
    inWorld({}, async ({ emulator }) => {
      await userGroup.diff("acme", recorded, { ...args, name: "B" });
      assert.equal(emulator.connections, 0);
    }),
  );
});

/** Diffs the record against changed arguments, with no settings but `env`. */
function diffs(change: object, expected: object, warning?: string, env: Record<string, string> = {}) {
  return inEnvironment(env, () =>
    withWarnings(async (warnings) => {
      const provided = { __provider: "text" };
      const diff = await userGroup.diff(
        "acme",
        { ...recorded, ...provided },
        { ...args, ...change, ...provided },
      );
      assert.deepEqual(diff, expected);
      assert.deepEqual(warnings, warning === undefined ? [] : [warning]);
    }),
  );
}

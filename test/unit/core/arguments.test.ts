import assert from "node:assert/strict";
import fc from "fast-check";
import {
  parseArguments,
  userGroupArguments,
  userGroupsArguments,
} from "../../../provider/src/core/arguments";
import { findIssues, type ValidationIssue } from "../../../provider/src/validation";
import { signatureKey, unknownValue } from "../../../provider/src/values";

const acme = { userGroupId: "acme", name: "Acme" };
const everything = {
  ...acme,
  mapping: { sales: "warehouse", finance: 7, empty: "" },
  properties: {
    region: "eu",
    seats: 1.5,
    open: true,
    none: null,
    list: [1, ["two"], {}],
    nested: { deep: { er: 1 } },
  },
  dataSourceProvidedId: "warehouse",
  keepers: { rotation: "1" },
  adopt: false,
  connection: "eu-2",
};
/** As the engine passes it. */
const asset = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", hash: "e564b40", text: "a license" };

describe("the arguments of a user group", () => {
  it("may be the two required ones, or all, with empty objects", () => {
    for (const value of [acme, everything, { ...acme, mapping: {}, properties: {}, keepers: {} }])
      assert.deepEqual(issuesOf(value), []);
  });

  it("must be an object", () => {
    for (const value of [undefined, null, "acme", [acme]]) assert.equal(issuesOf(value).length, 1);
  });

  for (const [name, invalid, ...issues] of invalidArguments())
    it(`can't have ${name}`, () => {
      const expected = issues.map(([path, reason]) => ({ path, reason }));
      assert.deepEqual(issuesOf({ ...acme, ...invalid }), expected);
    });

  it("may be unknown, each of them and at any depth", () => {
    assert.deepEqual(issuesOf(unknownValue), []);
    for (const key of Object.keys(everything))
      assert.deepEqual(issuesOf({ ...everything, [key]: unknownValue }), [], key);
    const mapping = { sales: unknownValue };
    const properties = { list: [unknownValue], nested: { deep: { er: unknownValue } } };
    assert.deepEqual(issuesOf({ ...acme, mapping, properties }), []);
    const invalid = { userGroupId: unknownValue, name: unknownValue, mapping: { a: unknownValue, b: true } };
    assert.deepEqual(issuesOf(invalid), [{ path: "mapping.b", reason: "must be a string or a number" }]);
  });

  it("never appear in their issues", () => {
    const value = fc.jsonValue().filter((json) => JSON.stringify(json).length > 8);
    const secret = fc.string({ minLength: 12, unit: fc.constantFrom("Q", "X", "Z", "#") });
    const invalid = fc.record({ key: fc.constantFrom(...Object.keys(everything)), value, secret });
    fc.assert(
      fc.property(invalid, ({ key, value, secret }) => {
        const shown = JSON.stringify(issuesOf({ ...everything, [key]: [value, secret] }));
        assert(!shown.includes(secret), shown);
      }),
    );
  });
});

describe("the arguments of many user groups", () => {
  const valid = { "a.b": { name: "A", mapping: null }, constructor: { name: "C", keepers: { a: "1" } } };
  const whole = "must be an object of userGroupId to group";
  const cases: [args: object, ...issues: string[]][] = [
    [{ groups: valid, adopt: false, removed: "retain", deletionLimit: 0, connection: "eu" }],
    [{ groups: unknownValue, removed: unknownValue, deletionLimit: unknownValue }],
    [{ groups: { a: unknownValue, b: { name: unknownValue, properties: { deep: [unknownValue] } } } }],
    [{}, `groups ${whole}`],
    [{ groups: [] }, `groups ${whole}`],
    [
      { groups: { a: "A", b: { nam: "B" } } },
      "groups.a must be an object",
      "groups.b.name is required",
      "groups.b.nam is not an argument",
    ],
    [
      { groups: { c: { name: "", mapping: { sales: true }, properties: [], dataSourceProvidedId: 7 } } },
      "groups.c.name must not be empty",
      "groups.c.mapping.sales must be a string or a number",
      "groups.c.properties must be an object",
      "groups.c.dataSourceProvidedId must be a string",
    ],
    [
      { groups: {}, removed: "keep", adopt: "yes" },
      "adopt must be true or false",
      'removed must be "delete" or "retain"',
    ],
    [{ groups: {}, deletionLimit: -1 }, "deletionLimit must not be negative"],
    [{ groups: {}, deletionLimit: 0.5 }, "deletionLimit must be a whole number"],
  ];
  for (const [args, ...issues] of cases)
    it(`are ${issues.length > 0 ? "invalid" : "valid"}: ${JSON.stringify(args)}`, () => {
      const found = findIssues(userGroupsArguments, args).map(({ path, reason }) => `${path} ${reason}`);
      assert.deepEqual(found, issues);
    });
});

describe("arguments that passed check", () => {
  it("are parsed without nulls and without the SDK's own", () => {
    assert.deepEqual(
      parseArguments(userGroupArguments, { ...acme, mapping: null, __provider: "text" }),
      acme,
    );
  });

  it("may still be invalid if they weren't known then; the error names the place, not the value", () => {
    assert.throws(() => parseArguments(userGroupArguments, { userGroupId: "acme", name: { s3cret: 1 } }), {
      code: "argument-invalid",
      message: "The argument name must be a string. [argument-invalid]",
    });
  });
});

function issuesOf(value: unknown): ValidationIssue[] {
  return findIssues(userGroupArguments, value);
}

function invalidArguments(): [name: string, invalid: object, ...issues: [path: string, reason: string][]][] {
  const string = "must be a string";
  const empty = "must not be empty";
  const source = "must be a string or a number";
  const flag = "must be true or false";
  const connection = "must consist of lower-case letters, digits and hyphens, and start with a letter";
  return [
    ["no userGroupId", { userGroupId: undefined }, ["userGroupId", "is required"]],
    ["no name", { name: undefined }, ["name", "is required"]],
    ["a number for userGroupId", { userGroupId: 7 }, ["userGroupId", string]],
    ["an empty userGroupId", { userGroupId: "" }, ["userGroupId", empty]],
    ["a list for name", { name: ["Acme"] }, ["name", string]],
    ["an empty name", { name: "" }, ["name", empty]],
    [
      "a string for mapping",
      { mapping: "sales" },
      ["mapping", "must be an object of schema ID to data source"],
    ],
    ["a list for mapping", { mapping: ["a"] }, ["mapping", "must be an object of schema ID to data source"]],
    [
      "objects in mapping",
      { mapping: { sales: {}, hr: null } },
      ["mapping.sales", source],
      ["mapping.hr", source],
    ],
    ["NaN in mapping", { mapping: { sales: NaN } }, ["mapping.sales", source]],
    ["a list for properties", { properties: [1] }, ["properties", "must be an object"]],
    ["a string for properties", { properties: "{}" }, ["properties", "must be an object"]],
    ["a function in properties", { properties: { a: () => 1 } }, ["properties.a", "must be JSON"]],
    ["an asset in properties", { properties: { a: [asset] } }, ["properties.a.0", "must be JSON"]],
    ["an asset for properties", { properties: asset }, ["properties", "must be JSON"]],
    ["an asset for mapping", { mapping: asset }, ["mapping", "must be JSON"]],
    ["a number in keepers", { keepers: { rotation: 1 } }, ["keepers.rotation", string]],
    ["a list for keepers", { keepers: ["1"] }, ["keepers", "must be an object of strings"]],
    ["an asset for keepers", { keepers: asset }, ["keepers", "must be JSON"]],
    ["an empty data source", { dataSourceProvidedId: "" }, ["dataSourceProvidedId", empty]],
    ["a number for a data source", { dataSourceProvidedId: 7 }, ["dataSourceProvidedId", string]],
    ["a string for adopt", { adopt: "true" }, ["adopt", flag]],
    ["an empty connection", { connection: "" }, ["connection", empty], ["connection", connection]],
    ["upper case in connection", { connection: "EU" }, ["connection", connection]],
    ["an underscore in connection", { connection: "eu_2" }, ["connection", connection]],
    ["a connection that begins with a digit", { connection: "2eu" }, ["connection", connection]],
    [
      "arguments of another name",
      { token: "t", id: 1 },
      ["token", "is not an argument"],
      ["id", "is not an argument"],
    ],
    ["several issues", { name: "", adopt: 1 }, ["name", empty], ["adopt", flag]],
  ];
}

import assert from "node:assert/strict";
import fc from "fast-check";
import { findFlaws, userGroupArguments, type Flaw } from "../../provider/src/schema";

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
  adopt: false,
  connection: "eu-2",
};
/** As the engine hands it to a dynamic provider. */
const asset = {
  "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17",
  hash: "e564b40",
  text: "a license",
};
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("schema: arguments of a user group", () => {
  it("may be the two required ones alone, or all", () => {
    assert.deepEqual(flawsOf(acme), []);
    assert.deepEqual(flawsOf(everything), []);
  });

  it("may have empty objects", () => {
    assert.deepEqual(flawsOf({ ...acme, mapping: {}, properties: {} }), []);
  });

  it("must be an object", () => {
    for (const value of [undefined, null, "acme", [acme]]) assert.equal(flawsOf(value).length, 1);
  });

  for (const [name, flawed, ...flaws] of flawedArguments()) {
    it(`can't have ${name}`, () => {
      const places = flaws.map(([place, reason]) => ({ place, reason }));
      assert.deepEqual(flawsOf({ ...acme, ...flawed }), places);
    });
  }

  it("can each be not yet known", () => {
    for (const key of Object.keys(everything)) {
      assert.deepEqual(flawsOf({ ...everything, [key]: unknownValue }), [], key);
    }
  });

  it("can have parts that are not yet known, at any depth", () => {
    const mapping = { sales: unknownValue };
    const properties = { region: unknownValue, list: [unknownValue], nested: { deep: { er: unknownValue } } };
    assert.deepEqual(flawsOf({ ...acme, mapping, properties }), []);
  });

  it("can be unknown altogether", () => {
    assert.deepEqual(flawsOf(unknownValue), []);
  });

  it("are wrong beside what is not yet known", () => {
    const flawed = { userGroupId: unknownValue, name: unknownValue, mapping: { a: unknownValue, b: true } };
    assert.deepEqual(flawsOf(flawed), [{ place: "mapping.b", reason: "must be a string or a number" }]);
  });

  it("never stand in what is said of their flaws", () => {
    const value = fc.jsonValue().filter((json) => JSON.stringify(json).length > 8);
    const secret = fc.string({ minLength: 12, unit: fc.constantFrom("Q", "X", "Z", "#") });
    const flawed = fc.record({ key: fc.constantFrom(...Object.keys(everything)), value, secret });
    fc.assert(
      fc.property(flawed, ({ key, value, secret }) => {
        const told = JSON.stringify(flawsOf({ ...everything, [key]: [value, secret] }));
        assert(!told.includes(secret), told);
      }),
    );
  });
});

function flawsOf(value: unknown): Flaw[] {
  return findFlaws(userGroupArguments, value);
}

function flawedArguments(): [name: string, flawed: object, ...flaws: [place: string, reason: string][]][] {
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
      "a text for mapping",
      { mapping: "sales" },
      ["mapping", "must be an object of schema id to data source"],
    ],
    ["a list for mapping", { mapping: ["a"] }, ["mapping", "must be an object of schema id to data source"]],
    [
      "objects in mapping",
      { mapping: { sales: {}, hr: null } },
      ["mapping.sales", source],
      ["mapping.hr", source],
    ],
    ["what is no number in mapping", { mapping: { sales: NaN } }, ["mapping.sales", source]],
    ["a list for properties", { properties: [1] }, ["properties", "must be an object"]],
    ["a text for properties", { properties: "{}" }, ["properties", "must be an object"]],
    ["what isn't JSON in properties", { properties: { a: () => 1 } }, ["properties.a", "must be JSON"]],
    ["an asset in properties", { properties: { a: [asset] } }, ["properties.a.0", "must be JSON"]],
    ["an asset for properties", { properties: asset }, ["properties", "must be JSON"]],
    ["an asset for mapping", { mapping: asset }, ["mapping", "must be JSON"]],
    ["an empty data source", { dataSourceProvidedId: "" }, ["dataSourceProvidedId", empty]],
    ["a number for a data source", { dataSourceProvidedId: 7 }, ["dataSourceProvidedId", string]],
    ["a text for adopt", { adopt: "true" }, ["adopt", flag]],
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
    ["several flaws", { name: "", adopt: 1 }, ["name", empty], ["adopt", flag]],
  ];
}

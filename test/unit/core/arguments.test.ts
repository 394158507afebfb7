import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { z } from "zod";
import {
  exponentIds,
  parseArguments,
  userGroupArguments,
  userGroupsArguments,
} from "../../../provider/src/core/arguments";
import { findIssues } from "../../../provider/src/validation";
import { signatureKey, unknownValue } from "../../../provider/src/values";

const acme = { userGroupId: "acme", name: "Acme" };
const everything = {
  ...acme,
  mapping: { sales: "warehouse", finance: 7, empty: "" },
  properties: { region: "eu", seats: 1.5, open: true, none: null, list: [1, ["two"], {}] },
  dataSourceProvidedId: "warehouse",
  keepers: { rotation: "1" },
  adopt: false,
  connection: "eu-2",
  overlap: true,
  overlapHours: 0.5,
};
/** As the engine passes it. */
const asset = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", hash: "e564b40", text: "a license" };

const connectionRule = "must consist of lower-case letters, digits and hyphens, and start with a letter";

const half = "has half of a character, as a text that was cut inside an emoji: cut it between characters";
const reserved = "is a text that Pulumi reserves for itself";

/** Changes to the arguments of `acme`, and their issues. */
const invalidArguments: [change: object, ...issues: string[]][] = [
  [{ userGroupId: undefined }, "userGroupId is required"],
  [{ userGroupId: 7 }, "userGroupId must be a string"],
  [{ userGroupId: "" }, "userGroupId must not be empty"],
  [{ name: "" }, "name must not be empty"],
  [{ mapping: "sales" }, "mapping must be an object of schema ID to data source"],
  // The keys of these three may be secret.
  [{ mapping: { a: {}, b: null } }, "mapping has an invalid value: it must be a string or a number"],
  [{ mapping: { a: unknownValue, b: NaN } }, "mapping has an invalid value: it must be a string or a number"],
  [{ mapping: asset }, "mapping must be JSON"],
  [{ properties: [1] }, "properties must be an object"],
  [{ properties: { a: [asset] } }, "properties has an invalid value: it must be JSON"],
  [{ keepers: { rotation: 1 } }, "keepers has an invalid value: it must be a string"],
  [{ keepers: asset }, "keepers must be JSON"],
  [{ dataSourceProvidedId: "" }, "dataSourceProvidedId must not be empty"],
  [{ adopt: "true" }, "adopt must be true or false"],
  [{ connection: "eu_2" }, `connection ${connectionRule}`],
  ...["former", "eu-former", "changes"].map((connection): [object, string] => [
    { connection },
    'connection must not be the name of a setting, and not end in "former", as the variables of formerBaseUrl do',
  ]),
  [{ overlapHours: -0.5 }, "overlapHours must not be negative"],
  [{ overlapHours: 1_000_001 }, "overlapHours must be at most 1,000,000"],
  [{ overlapHours: Infinity }, "overlapHours must be a number"],
  [{ userGroupId: "acme\ud83d", name: "\ude00" }, `userGroupId ${half}`, `name ${half}`],
  [{ mapping: { "\ud83d": "sales" } }, `mapping ${half}`],
  [{ properties: { list: [{ "\ud83d": 1 }] } }, `properties has an invalid value: it ${half}`],
  [{ keepers: { [unknownValue]: "1" } }, `keepers ${reserved}`],
  [{ token: "t", id: 1 }, "token is not an argument", "id is not an argument"],
];

describe("the arguments of a user group", () => {
  it("may be the two required ones, or all, with empty objects", () => {
    for (const value of [acme, everything, { ...acme, mapping: {}, properties: {}, keepers: {} }])
      assert.deepEqual(issuesOf(value), []);
  });

  for (const [change, ...issues] of invalidArguments)
    it(`can't be ${inspect(change, { depth: 1 })}`, () => {
      assert.deepEqual(issuesOf({ ...acme, ...change }), issues);
    });

  it("can't have properties that are nested too deeply to be sent", () => {
    const properties = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`) as unknown;
    const issue = "properties has more than 100 levels of objects and lists";
    const groups = { acme: { name: "Acme", properties } };
    assert.deepEqual(issuesOf({ ...acme, properties }), [issue]);
    assert.deepEqual(issuesOf({ groups }, userGroupsArguments), [`groups.acme.${issue}`]);
    assert.deepEqual(issuesOf({ ...acme, properties: { a: { b: { c: [{ d: 1 }] } } } }), []);
  });

  it("may be unknown, each of them and at any depth", () => {
    assert.deepEqual(issuesOf(unknownValue), []);
    for (const key of Object.keys(everything))
      assert.deepEqual(issuesOf({ ...everything, [key]: unknownValue }), [], key);
    const mapping = { sales: unknownValue };
    const properties = { list: [unknownValue], nested: { deep: unknownValue } };
    assert.deepEqual(issuesOf({ ...acme, mapping, properties }), []);
  });
});

describe("the arguments of many user groups", () => {
  const valid = { "a.b": { name: "A", mapping: null }, constructor: { name: "C", keepers: { a: "1" } } };
  const whole = "must be an object of userGroupId to group";
  const cases: [args: object, ...issues: string[]][] = [
    [{ groups: valid, adopt: false, removed: "retain", deletionLimit: 0, connection: "eu" }],
    [{ groups: { a: unknownValue, b: { name: unknownValue, properties: { deep: [unknownValue] } } } }],
    [{}, `groups ${whole}`],
    [
      { groups: { a: "A", b: { nam: "B" } } },
      "groups.a must be an object",
      "groups.b.name is required",
      "groups.b.nam is not an argument",
    ],
    [
      { groups: { "a b\n": { name: 7 }, mapping: {} } },
      'groups["a b\\n"].name must be a string',
      "groups.mapping.name is required",
    ],
    [
      { groups: { "": { name: "A" }, "b\udc00": { name: "B" }, c: { name: "C\ud83d" } } },
      'groups[""] must not be empty',
      `groups["b\\udc00"] ${half}`,
      `groups.c.name ${half}`,
    ],
    [{ groups: {}, removed: "keep" }, 'removed must be "delete" or "retain"'],
    [{ groups: {}, deletionLimit: -1 }, "deletionLimit must not be negative"],
    [{ groups: {}, deletionLimit: 0.5 }, "deletionLimit must be a whole number"],
  ];
  for (const [args, ...issues] of cases)
    it(`are ${issues.length > 0 ? "invalid" : "valid"}: ${JSON.stringify(args)}`, () => {
      assert.deepEqual(issuesOf(args, userGroupsArguments), issues);
    });
});

it("an argument that wasn't known in check may be invalid; the error names the argument, not the value", () => {
  assert.throws(() => parseArguments(userGroupArguments, { userGroupId: "acme", name: { s3cret: 1 } }), {
    code: "argument-invalid",
    message: "The argument name must be a string. [argument-invalid]",
  });
});

it("an ID in exponent notation has a number that a language rounded, anywhere in the ID", () => {
  const rounded = ["1e+21", "cust-1.10717590588e+11", "cust1.5E+16-eu", "a_2e+100"];
  const others = ["", "acme", "1e21", "cust-e+11", "12.5e+3", "1.1e-05", "cust-110717590588", "b1e-05"];
  assert.deepEqual(exponentIds([...others, ...rounded]), rounded);
});

function issuesOf(value: unknown, schema: z.ZodObject = userGroupArguments): string[] {
  return findIssues(schema, value).map(({ path, reason }) => `${path} ${reason}`);
}

import assert from "node:assert/strict";
import { userGroupShape } from "../../../provider/core/state/shapes";
import type { z } from "zod";
import {
  exponentIds,
  groupArguments,
  userGroupArguments,
  userGroupsArguments,
} from "../../../provider/core/arguments";
import { findIssues } from "../../../provider/validation";
import { signatureKey, unknownValue } from "../../../provider/values";

const acme = { userGroupId: "acme", name: "Acme" };
const everything = {
  ...acme,
  mapping: { sales: "warehouse", finance: 7, empty: "" },
  properties: { region: "eu", seats: 1.5, open: true, none: null, list: [1, ["two"], {}] },
  dataSourceProvidedId: "warehouse",
  keepers: { rotation: "1" },
  adopt: false,
  overlap: true,
  overlapHours: 0.5,
};
/** As the engine passes it. */
const asset = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", hash: "e564b40", text: "a license" };

const half = "has half of a character, as a text that was cut inside an emoji: cut it between characters";
const ofOutput = "contains an Output: use pulumi.interpolate, or what your language has instead";
const reserved = "is a text that Pulumi reserves for itself";
const derivedRule =
  "must not end in ~ and eight hexadecimal digits, as the IDs that overlap gives groups of other customers";

/** The keys of mapping, properties and keepers may be secret, so no issue names one. */
const invalid: [argument: string, value: unknown, issue: string][] = [
  ["userGroupId", undefined, "is required"],
  ["userGroupId", 7, "must be a string"],
  ["userGroupId", "acme\ud83d", half],
  ["userGroupId", "cust-Calling __str__ on an Output[T] is not supported.", ofOutput],
  ["name", "{%!s(*internal.OutputState=&{0xc0})}", ofOutput],
  [
    "properties",
    { plan: "[object Object]" },
    "has an invalid value: it contains an object: pass one of its values",
  ],
  ["userGroupId", "acme~d52622c6", derivedRule],
  ["name", "", "must not be empty"],
  ["mapping", "sales", "must be an object of schema ID to data source"],
  ["mapping", { a: unknownValue, b: NaN }, "has an invalid value: it must be a string or a number"],
  ["mapping", { "\ud83d": "sales" }, half],
  ["properties", [1], "must be an object"],
  ["properties", asset, "must be JSON"],
  ["properties", { a: [asset] }, "has an invalid value: it must be JSON"],
  ["properties", { list: [{ "\ud83d": 1 }] }, `has an invalid value: it ${half}`],
  ["properties", nested(5_000), "has more than 100 levels of objects and lists"],
  ["keepers", { rotation: 1 }, "has an invalid value: it must be a string"],
  ["keepers", { [unknownValue]: "1" }, reserved],
  ["adopt", "true", "must be true or false"],
  ["connection", "eu", "is not an argument"],
  ["overlapHours", -0.5, "must not be negative"],
  ["overlapHours", 1_000_001, "must be at most 1,000,000"],
  ["token", "t", "is not an argument"],
  ["nmae", "Acme", "is not an argument: did you mean name?"],
  ["user_group_id", "acme", "is not an argument: did you mean userGroupId?"],
  ["dataSourceId", "warehouse", "is not an argument"],
];

describe("the arguments of a user group", () => {
  it("may be the two required ones, or all, with empty objects, each of them unknown", () => {
    for (const value of [
      ...[acme, everything, { ...acme, mapping: {}, properties: {}, keepers: {} }, unknownValue],
      ...Object.keys(everything).map((key) => ({ ...everything, [key]: unknownValue })),
      { ...acme, mapping: { sales: unknownValue }, properties: { list: [unknownValue], deep: nested(4) } },
    ])
      assert.deepEqual(issuesOf(value), []);
  });

  for (const [index, [argument, value, issue]] of invalid.entries())
    it(`can't have ${argument} that ${issue} (${index})`, () => {
      assert.deepEqual(issuesOf({ ...acme, [argument]: value }), [`${argument} ${issue}`]);
    });
});

describe("the arguments of many user groups", () => {
  const valid = { "a.b": { name: "A", mapping: null }, constructor: { name: "C", keepers: { a: "1" } } };
  const cases: [args: object, ...issues: string[]][] = [
    [{ groups: valid, adopt: false, removed: "retain", deletionLimit: 0 }],
    [{ groups: { "acme~D52622C6": { name: "A" }, "acme~d52622c6-": { name: "B" } } }],
    [{ groups: { "~d52622c6": { name: "A" } } }, `groups["~d52622c6"] ${derivedRule}`],
    [{ groups: { a: unknownValue, b: { name: unknownValue, properties: { deep: [unknownValue] } } } }],
    [{}, "groups must be an object of userGroupId to group"],
    [{ groups: { a: "A", mapping: {} } }, "groups.a must be an object", "groups.mapping.name is required"],
    [
      { groups: { "a b\n": { name: "A", nam: "B" } } },
      'groups["a b\\n"].nam is not an argument: did you mean name?',
    ],
    [
      { groups: { "": { name: "A" }, "b\udc00": { name: "B" }, c: { name: "C\ud83d" } } },
      ...['groups[""] must not be empty', `groups["b\\udc00"] ${half}`, `groups.c.name ${half}`],
    ],
    [{ groups: {}, removed: "keep" }, 'removed must be "delete" or "retain"'],
    [{ groups: {}, deletonLimt: 5 }, "deletonLimt is not an argument: did you mean deletionLimit?"],
    [{ groups: {}, deletionLimit: 0.5 }, "deletionLimit must be a whole number"],
  ];
  for (const [args, ...issues] of cases)
    it(`are ${issues.length > 0 ? "invalid" : "valid"}: ${JSON.stringify(args)}`, () => {
      assert.deepEqual(issuesOf(args, userGroupsArguments), issues);
    });
});

it("an argument that wasn't known in check may be invalid; the error names the argument, not the value", () => {
  assert.throws(() => userGroupShape.parseInputs({ userGroupId: "acme", name: { s3cret: 1 } }), {
    code: "argument-invalid",
    message: "The argument name must be a string. [argument-invalid]",
  });
});

it("an ID in exponent notation has a number that a language rounded, anywhere in the ID", () => {
  const rounded = ["1e+21", "cust-1.10717590588e+11", "cust1.5E+16-eu", "a_2e+100"];
  const others = ["", "acme", "1e21", "cust-e+11", "12.5e+3", "1.1e-05", "cust-110717590588", "b1e-05"];
  assert.deepEqual(exponentIds([...others, ...rounded]), rounded);
});

it("a lookup and import-file may name the derived ID of a group", () => {
  assert.deepEqual(issuesOf({ userGroupId: "acme~d52622c6", name: "Acme" }, groupArguments), []);
});

function issuesOf(value: unknown, schema: z.ZodObject = userGroupArguments): string[] {
  return findIssues(schema, value).map(({ path, reason }) => `${path} ${reason}`);
}

function nested(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
}

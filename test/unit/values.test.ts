import assert from "node:assert/strict";
import fc from "fast-check";
import { isEqual, isUnknown, propertiesOf, unknownValue } from "../../provider/src/values";

describe("the properties of a resource", () => {
  it("are those that are neither null nor the SDK's own", () => {
    const kept = { name: "", adopt: false, properties: { none: null }, seats: 0 };
    const others = { mapping: null, connection: undefined, __provider: "text", __defaults: [] };
    assert.deepEqual(propertiesOf({ ...kept, ...others }), kept);
    for (const value of [undefined, null, "text", [kept]]) assert.deepEqual(propertiesOf(value), {});
  });
});

describe("an unknown value", () => {
  it("may be a part, at any depth", () => {
    for (const value of [unknownValue, { a: [{ b: unknownValue }] }]) assert(isUnknown(value));
    for (const value of [undefined, null, "", `${unknownValue} `, { [unknownValue]: 1 }])
      assert(!isUnknown(value));
  });
});

describe("equality", () => {
  it("takes {}, null and undefined for the same, and 0 and -0", () => {
    const empty = [{}, null, undefined];
    for (const one of empty) for (const other of empty) assert(isEqual(one, other));
    assert(isEqual(0, -0));
    for (const value of [0, "", false, [], { a: null }]) assert(!isEqual({}, value), JSON.stringify(value));
  });

  it("ignores the order of keys", () => {
    fc.assert(fc.property(fewJson, (value) => isEqual(value, reversed(value))));
  });

  it("sees every other difference of JSON", () => {
    fc.assert(
      fc.property(fewJson, fewJson, (one, other) => {
        assert.equal(isEqual(one, other), canonical(one) === canonical(other));
      }),
      { numRuns: 1000 },
    );
  });
});

/** JSON of few keys and values, so that two of them are often equal. */
const { json: fewJson } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, "1", "", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__"), tie("json"), { maxKeys: 3 }),
  ),
}));

/** The same JSON with the keys of every object in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, reversed(part)]);
  return Object.fromEntries(entries.reverse());
}

/** One text for all orders of keys; `{}` as a whole is null. */
function canonical(value: unknown): string {
  const sorted = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(sorted);
    if (typeof part !== "object" || part === null) return part ?? null;
    const entries = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1));
    return entries.map(([key, each]): unknown => [key, sorted(each)]).concat("an object");
  };
  const text = JSON.stringify(sorted(value));
  return text === JSON.stringify(["an object"]) ? "null" : text;
}

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
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

  it("sees every other difference of JSON, and not the order of keys", () => {
    fc.assert(
      fc.property(fewJson, fewJson, (one, other) => {
        assert.equal(isEqual(one, other), isDeepStrictEqual(orNull(one), orNull(other)));
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
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__"), tie("json"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/** `{}` as a whole is null. */
function orNull(json: unknown): unknown {
  return isDeepStrictEqual(json, {}) ? null : json;
}

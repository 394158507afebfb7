import assert from "node:assert/strict";
import fc from "fast-check";
import { isEqual, isUnknown, propertiesOf, unknownValue } from "../../provider/src/values";
import { canonical, fewJson, reversed } from "./json";

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
    fc.assert(fc.property(fc.jsonValue(), (value) => isEqual(value, reversed(value))));
  });

  it("sees every other difference of JSON", () => {
    let equal = 0;
    fc.assert(
      fc.property(fewJson, fewJson, (one, other) => {
        const isSame = canonical(one) === canonical(other);
        assert.equal(isEqual(one, other), isSame);
        equal += Number(isSame);
      }),
      { numRuns: 1000 },
    );
    assert(equal > 10 && equal < 900, `${equal} pairs of 1000 were equal`);
  });
});

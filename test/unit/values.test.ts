import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isEqual } from "../../provider/values";

describe("equality", () => {
  it("sees every other difference of JSON, and not the order of keys", () => {
    const emptyAsNull = (json: unknown) => (isDeepStrictEqual(json, {}) ? null : json);
    fc.assert(
      fc.property(fewJson, fewJson, (one, other) => {
        assert.equal(isEqual(one, other), isDeepStrictEqual(emptyAsNull(one), emptyAsNull(other)));
      }),
      { numRuns: 1000 },
    );
  });
});

/** JSON of few keys and values, so that two of them are often equal. */
const { json: fewJson } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, false, true, 0, 1, "1", "", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1"), tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

import assert from "node:assert/strict";
import { given, parse, userGroupArguments, type Flaw } from "../../provider/src/schema";

const acme = { userGroupId: "acme", name: "Acme" };

describe("schema: given", () => {
  it("leaves out null, undefined and what is the SDK's own, and keeps the rest as it is", () => {
    const kept = { name: "", adopt: false, properties: { none: null }, seats: 0 };
    const properties = {
      ...kept,
      mapping: null,
      connection: undefined,
      __provider: "exports.handler",
      __defaults: [],
    };
    assert.deepEqual(given(properties), kept);
  });

  it("finds nothing in what is no object", () => {
    for (const value of [undefined, null]) assert.deepEqual(given(value), {});
  });
});

describe("schema: parse", () => {
  it("returns what fits, with the same keys", () => {
    assert.deepEqual(parse(userGroupArguments, acme, complaint), acme);
    const more = { ...acme, mapping: { sales: 7 }, properties: { none: null }, adopt: false };
    assert.deepEqual(parse(userGroupArguments, more, complaint), more);
  });

  it("throws what is made of the first flaw", () => {
    assert.throws(() => parse(userGroupArguments, { name: 7 }, complaint), {
      message: "userGroupId is required",
    });
  });
});

function complaint({ place, reason }: Flaw): Error {
  return new Error(`${place} ${reason}`);
}

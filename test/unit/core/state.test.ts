import assert from "node:assert/strict";
import {
  lookupState,
  parseState,
  userGroupShape,
  userGroupsState,
  userGroupState,
} from "../../../provider/src/core/state/shapes";

const one = (state: object) => parseState(userGroupState, "it", { ...state });
const lookup = (state: object) => parseState(lookupState, "it", { ...state });
const many = (state: object) => parseState(userGroupsState, "these user groups", { ...state });

describe("a state", () => {
  it("is no stricter than responses and arguments: an empty name is valid", () => {
    const state = { name: "", token: "t", adopted: false, sent: { name: "Acme" } };
    assert.deepEqual(one({ ...state, userGroupId: "acme", __provider: "text", later: 1 }), state);
    const groups = { acme: { name: "", properties: null, mapping: { a: {} } } };
    const parsed = many({ groups, tokens: { acme: "t" } }).groups;
    assert.deepEqual(parsed, { acme: { name: "", mapping: { a: {} } } });
  });

  it("of a hand-written provider, without adopted, counts as one of a group that existed before", () => {
    const state = { name: "Acme", token: "t" };
    assert.equal(one(state).adopted, true);
    const { groups } = userGroupShape.parseState("acme", { ...state, adopt: true, connection: "eu" });
    const expected = { ...state, userGroupId: "acme", providedId: "acme", adopted: true };
    assert.deepEqual(JSON.parse(JSON.stringify(groups.get("acme"))), expected);
  });

  for (const [parse, state, issue] of [
    [one, { name: "Acme", token: "" }, "token must not be empty"],
    [one, { name: ["s3cret"], token: "t" }, "name must be a string"],
    [lookup, {}, "name is required"],
    [many, { groups: { a: { name: 7 } }, tokens: {} }, "groups.a.name must be a string"],
  ] as const)
    it(`is invalid if its ${issue} is wrong; the error names the property, not the value`, () => {
      assert.throws(
        () => parse(state),
        ({ message }: Error) =>
          message.includes(` is invalid: its ${issue}`) &&
          message.endsWith("[state-invalid]") &&
          !message.includes("s3cret"),
      );
    });
});

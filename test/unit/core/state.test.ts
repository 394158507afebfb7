import assert from "node:assert/strict";
import {
  lookupState,
  parseState,
  storedGroupIn,
  userGroupsState,
  userGroupState,
} from "../../../provider/src/core/state";

const remedy =
  " Import an earlier export of the state (pulumi stack import); or remove the resource from the state (pulumi state " +
  "delete) and run pulumi up, which adopts the existing groups. [state-invalid]";

describe("a state", () => {
  it("is no stricter than responses and arguments: an empty name is valid", () => {
    const state = { name: "", token: "t", adopted: false, sent: { name: "Acme" } };
    assert.deepEqual(
      parseState(userGroupState, "it", { ...state, userGroupId: "acme", __provider: "text", later: 1 }),
      state,
    );
    const groups = { acme: { name: "", properties: null, mapping: { a: {} } } };
    assert.deepEqual(
      parseState(userGroupsState, "these user groups", { groups, tokens: { acme: "t" } }).groups,
      {
        acme: { name: "", mapping: { a: {} } },
      },
    );
  });

  it("of a hand-written provider, without adopted, counts as one of a group that existed before", () => {
    assert.equal(parseState(userGroupState, "it", { name: "Acme", token: "t" }).adopted, true);
    assert.deepEqual(
      storedGroupIn("acme", { name: "Acme", token: "t", adopt: true, connection: "eu", baseUrl: "x" }),
      {
        userGroupId: "acme",
        name: "Acme",
        token: "t",
        adopted: true,
      },
    );
    assert.equal(storedGroupIn("acme", { name: "Acme" }), undefined);
  });

  it("of 0.1.0 may lack the address", () => {
    assert.equal(
      parseState(userGroupState, "it", { name: "Acme", token: "t", adopted: true }).baseUrl,
      undefined,
    );
    const { baseUrl, shown, sent } = parseState(userGroupsState, "these user groups", {
      groups: {},
      tokens: {},
      adopted: [],
    });
    assert.deepEqual([baseUrl, shown, sent], [undefined, {}, {}]);
  });

  const one = (state: object) => parseState(userGroupState, "it", { ...state });
  const lookup = (state: object) => parseState(lookupState, "it", { ...state });
  const many = (state: object) => parseState(userGroupsState, "these user groups", { ...state });
  for (const [parse, state, issue] of [
    [one, { name: "Acme" }, "token"],
    [one, { name: "Acme", token: "" }, "token must not be empty"],
    [one, { name: ["s3cret"], token: "t" }, "name must be a string"],
    [lookup, {}, "name is required"],
    [many, { groups: { a: { name: 7 } }, tokens: {} }, "groups.a.name must be a string"],
  ] as const)
    it(`is invalid if its ${issue} is wrong; the error names the property, not the value`, () => {
      assert.throws(
        () => parse(state),
        ({ message }: Error) => {
          assert.match(message, new RegExp(`^The state of (it|these user groups) is invalid: its ${issue}`));
          return message.endsWith(remedy) && !message.includes("s3cret");
        },
      );
    });
});

import assert from "node:assert/strict";
import {
  deleteResponse,
  getOrCreateBody,
  getOrCreateResponse,
  refusal,
} from "../../../provider/src/service/contract";
import { signatureKey } from "../../../provider/src/values";

const group = { token: "t", name: "Acme", provided_id: "acme" };
const response = { success: 1, new_user_group: true, user_group: group };

/** The path and the message of the first issue. */
function issueOf(fields: object, ofGroup: object = {}): string | undefined {
  const value = { ...response, user_group: { ...group, ...ofGroup }, ...fields };
  const issue = getOrCreateResponse.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join(".")} ${issue.message}`;
}

describe("the body of a get-or-create", () => {
  const ids = { user_group_id: "acme", name: "Acme" };

  it("has the service's words, without what is only for the deletion", () => {
    const { name, mapping, properties } = { name: "Acme", mapping: { a: 1 }, properties: { b: null } };
    const values = { userGroupId: "acme", name, mapping, properties };
    const others = { dataSourceProvidedId: "tab", keepers: { a: "1" } };
    assert.deepEqual(getOrCreateBody({ ...values, ...others }), { ...ids, mapping, properties });
  });

  it("is the same for an empty object as for none", () => {
    for (const empty of [{}, undefined]) {
      const body = getOrCreateBody({ userGroupId: "acme", name: "Acme", mapping: empty, properties: empty });
      assert.deepEqual(JSON.parse(JSON.stringify(body)), ids);
    }
  });
});

describe("the response to get-or-create", () => {
  it("is valid without properties and team_id, with an empty name, and with null or any JSON object as properties", () => {
    assert.deepEqual(getOrCreateResponse.parse(response), response);
    for (const properties of [null, {}, { region: "eu", nested: [{ none: null }] }])
      assert.equal(issueOf({}, { name: "", properties }), undefined);
  });

  it("may have unknown fields, which are dropped", () => {
    const user_group = { more: 1, ...group, team_id: 7 };
    assert.deepEqual(getOrCreateResponse.parse({ more: [], ...response, user_group }), response);
  });

  const success = "success must be 1, or 0 for a refusal";
  const token = "user_group.token";
  const issues: [fields: object, ofGroup: object, issue: string][] = [
    [{ success: undefined }, {}, success],
    [{ success: "1" }, {}, success],
    [{ success: true }, {}, success],
    [{ success: 2 }, {}, success],
    [{ new_user_group: undefined }, {}, "new_user_group must be true or false"],
    [{ new_user_group: 1 }, {}, "new_user_group must be true or false"],
    [{ user_group: undefined }, {}, "user_group must be an object"],
    [{ user_group: null }, {}, "user_group must be an object"],
    [{ user_group: [group] }, {}, "user_group must be an object"],
    [{}, { token: undefined }, `${token} is required`],
    [{}, { token: 7 }, `${token} must be a string`],
    [{}, { token: "" }, `${token} must not be empty`],
    [{}, { token: "a\uD800" }, `${token} must be well-formed Unicode`],
    [{}, { name: undefined }, "user_group.name must be a string"],
    [{}, { name: {} }, "user_group.name must be a string"],
    [{}, { provided_id: 7 }, "user_group.provided_id must be a string"],
    [{}, { properties: "{}" }, "user_group.properties must be an object"],
    [{}, { properties: ["a"] }, "user_group.properties must be an object"],
    [{}, { properties: { a: [{ [signatureKey]: "x" }] } }, "user_group.properties must be JSON"],
  ];
  for (const [fields, ofGroup, issue] of issues)
    it(`is invalid with ${JSON.stringify({ ...fields, ...ofGroup })}: ${issue}`, () => {
      assert.equal(issueOf(fields, ofGroup), issue);
    });

  it("has a name that a state can hold", () => {
    const parsed = getOrCreateResponse.parse({ ...response, user_group: { ...group, name: "a\uD800" } });
    assert.equal(parsed.user_group.name, "a\uFFFD");
  });
});

for (const [what, schema, success] of [
  ["response to a delete", deleteResponse, 1],
  ["refusal", refusal, 0],
] as const)
  describe(`the ${what}`, () => {
    it(`has success ${success}, whatever else it has, and nothing else has`, () => {
      assert(schema.safeParse({ success, more: [1] }).success);
      for (const other of [{}, null, [], "1", ...[undefined, 1 - success, 2, true, "1"].map(withSuccess)])
        assert(!schema.safeParse(other).success, JSON.stringify(other));
    });
  });

function withSuccess(success: unknown): object {
  return { success };
}

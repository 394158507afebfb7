import assert from "node:assert/strict";
import { inspect } from "node:util";
import { getOrCreateResponse } from "../../../provider/src/service/contract";
import { maxDepth, signatureKey, unknownValue } from "../../../provider/src/values";

const group = { token: "t", name: "Acme", provided_id: "acme" };
const response = { success: 1, new_user_group: true, user_group: group };

/** The path and the message of the first issue. */
function issueOf(fields: object, ofGroup: object = {}): string | undefined {
  const value = { ...response, user_group: { ...group, ...ofGroup }, ...fields };
  const issue = getOrCreateResponse.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join(".")} ${issue.message}`;
}

describe("the response to get-or-create", () => {
  it("is valid without properties and team_id, with an empty name, and with null or any JSON object as properties", () => {
    assert.deepEqual(getOrCreateResponse.parse(response), response);
    for (const properties of [null, {}, { region: "eu", nested: [{ none: null }] }, nested(maxDepth)])
      assert.equal(issueOf({}, { name: "", properties }), undefined);
  });

  const success = "success must be 1, or 0 for a refusal";
  const token = "user_group.token";
  const unprintable = `${token} must have no line breaks, control characters or invisible characters`;
  const reserved = "user_group must not contain a value that Pulumi reserves for itself";
  const unstorable = "user_group must be JSON in well-formed Unicode";
  const tooDeep = `user_group.properties must not be nested more than ${maxDepth} levels deep`;
  const issues: [fields: object, ofGroup: object, issue: string][] = [
    [{ success: undefined }, {}, success],
    [{ success: "1" }, {}, success],
    [{ success: 2 }, {}, success],
    [{ new_user_group: 1 }, {}, "new_user_group must be true or false"],
    [{ user_group: undefined }, {}, "user_group must be an object"],
    [{ user_group: [group] }, {}, "user_group must be an object"],
    [{}, { token: 7 }, `${token} must be a string`],
    [{}, { token: "" }, `${token} must not be empty`],
    ...["a\nb", "\u001b[31mred", "\u007f", "\u009b31m", "a\u2028b", "a\u2029b", "a\u202eb", "a\u200bb"].map(
      (value): [object, object, string] => [{}, { token: value }, unprintable],
    ),
    [{}, { token: "a\uD800" }, unstorable],
    [{}, { name: "a\uD800" }, unstorable],
    [{}, { name: undefined }, "user_group.name is required"],
    [{}, { name: {} }, "user_group.name must be a string"],
    [{}, { provided_id: 7 }, "user_group.provided_id must be a string"],
    [{}, { properties: ["a"] }, "user_group.properties must be an object"],
    [{}, { properties: { a: [{ [signatureKey]: "x" }] } }, reserved],
    [{}, { properties: { a: [{ [unknownValue]: "x" }] } }, reserved],
    [{}, { properties: { a: [{ b: unknownValue }] } }, reserved],
    [{}, { name: unknownValue }, reserved],
    [{}, { token: unknownValue }, reserved],
    [{}, { properties: { a: [{ b: "\uD800" }] } }, unstorable],
    ...[maxDepth + 1, 100_000].map((depth): [object, object, string] => [
      {},
      { properties: nested(depth) },
      tooDeep,
    ]),
  ];
  for (const [fields, ofGroup, issue] of issues)
    it(`is invalid with ${inspect({ ...fields, ...ofGroup }, { depth: 3 })}: ${issue}`, () => {
      assert.equal(issueOf(fields, ofGroup), issue);
    });
});

/** Objects and lists in each other. */
function nested(depth: number): unknown {
  return JSON.parse(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);
}

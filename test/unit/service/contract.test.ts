/** Values that a state can't hold, or that users can't print. test/contract/faults.test.ts has responses of another form. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { getOrCreateResponse } from "../../../provider/service/contract";
import { maxDepth, signatureKey, unknownValue } from "../../../provider/values";

const group = { token: "t", name: "Acme", provided_id: "acme" };
const response = { success: 1, new_user_group: true, user_group: group };

describe("the response to get-or-create", () => {
  it("is valid without properties and team_id, with an empty name, and with null or any JSON object as properties", () => {
    assert.deepEqual(getOrCreateResponse.parse(response), response);
    for (const properties of [null, {}, { region: "eu", nested: [{ none: null }] }, nested(maxDepth)])
      assert.equal(issueOf({ ...response, user_group: { ...group, name: "", properties } }), undefined);
  });

  const unprintable = "user_group.token must have no line breaks, control characters or invisible characters";
  const reserved = "user_group must not contain a value that Pulumi reserves for itself";
  const unstorable = "user_group must be JSON in well-formed Unicode";
  const tooDeep = `user_group.properties must not be nested more than ${maxDepth} levels deep`;
  const unprintables = ["a\nb", "\u001b[31m", "\u007f", "\u009b31m", "a\u2028b", "a\u202eb", "a\u200bb"];
  const invalid: [fields: object, issue: string][] = [
    [{ token: "" }, "user_group.token must not be empty"],
    ...unprintables.map((token): [object, string] => [{ token }, unprintable]),
    [{ provided_id: 7 }, "user_group.provided_id must be a string"],
    [{ properties: ["a"] }, "user_group.properties must be an object"],
    [{ token: "a\uD800" }, unstorable],
    [{ properties: { a: [{ b: "\uD800" }] } }, unstorable],
    [{ properties: { a: [JSON.parse("-1e400")] } }, "user_group must not contain a number beyond 1e308"],
    [{ name: unknownValue }, reserved],
    [{ properties: { a: [{ [signatureKey]: "x" }] } }, reserved],
    [{ properties: { a: [{ b: unknownValue }] } }, reserved],
    [{ properties: nested(maxDepth + 1) }, tooDeep],
    [{ properties: nested(100_000) }, tooDeep],
  ];
  for (const [fields, issue] of invalid)
    it(`is invalid with a group of ${inspect(fields, { depth: 3 })}: ${issue}`, () => {
      assert.equal(issueOf({ ...response, user_group: { ...group, ...fields } }), issue);
    });
});

/** The path and the message of the first issue. */
function issueOf(value: unknown): string | undefined {
  const issue = getOrCreateResponse.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join(".")} ${issue.message}`;
}

/** Objects and lists in each other. */
function nested(depth: number): unknown {
  return JSON.parse(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);
}

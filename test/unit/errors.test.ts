import assert from "node:assert/strict";
import { firstFew, nameOf, namesOf, toUserGroupError } from "../../provider/src/errors";

describe("an error for people", () => {
  it("names groups in one short line, whatever their IDs are", () => {
    const groups = ["a", "b", "c", "d", "e", "f", "g"].map((userGroupId) => ({
      userGroupId,
      connection: "eu",
    }));
    const cases: [text: string, expected: string][] = [
      [nameOf({ userGroupId: "acme" }), 'user group "acme"'],
      [nameOf({ userGroupId: "acme", connection: "eu" }), 'user group "acme" (connection "eu")'],
      [nameOf({ userGroupId: 'a"\n::error::' }), 'user group "a\\"\\n::error::"'],
      [nameOf({ userGroupId: "x".repeat(80) }), `user group "${"x".repeat(80)}"`],
      [nameOf({ userGroupId: "x".repeat(100_000) }), `user group "${"x".repeat(80)}…"`],
      [namesOf(groups.slice(0, 1)), 'user group "a" (connection "eu")'],
      [namesOf(groups), 'user groups "a", "b", "c", "d", "e" and 2 more (connection "eu")'],
      [namesOf([{ userGroupId: "a" }, { userGroupId: "b" }]), 'user groups "a", "b"'],
      [firstFew([{ userGroupId: "a\nb" }, ...groups.slice(1, 5)]), '"a\\nb", "b", "c", "d", "e"'],
    ];
    for (const [text, expected] of cases) assert.equal(text, expected);
  });
});

describe("an unexpected exception", () => {
  it("becomes an error that says where it was thrown, and nothing of its message", () => {
    const subject = { operation: "create", userGroupId: "acme" } as const;
    const { code, message } = toUserGroupError(new TypeError("s3cret\nmore"), subject);
    assert.equal(code, "unexpected");
    assert.match(
      message,
      /^Cannot create user group "acme": an unexpected TypeError was thrown at errors\.test\.ts:\d+\. /,
    );
    assert.doesNotMatch(message, /s3cret/);
    for (const thrown of ["s3cret", undefined, { s3cret: 1 }])
      assert.match(
        toUserGroupError(thrown).message,
        /^Cannot continue: an unexpected exception was thrown\. This is a bug/,
      );
  });
});

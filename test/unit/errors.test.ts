import assert from "node:assert/strict";
import {
  cannot,
  firstFew,
  nameOf,
  namesOf,
  toUserGroupError,
  UserGroupError,
  type GroupName,
} from "../../provider/src/errors";

describe("an error for people", () => {
  it("says what failed, why and what to do, with its code at the end", () => {
    const subject = { operation: "delete", userGroupId: "acme" } as const;
    const error = cannot(subject, "service-refused", "it refused", "Ask it.");
    assert(error instanceof UserGroupError);
    assert.equal(error.message, 'Cannot delete user group "acme": it refused. Ask it. [service-refused]');
    assert.equal(error.code, "service-refused");
  });

  it("prints no stack, and nothing twice", () => {
    const error = new UserGroupError("not-found", "Nothing there.");
    assert.equal(error.stack, error.message);
    assert.equal(error.toString(), "UserGroupError");
  });

  it("names a group, and its connection if it has one", () => {
    assert.equal(nameOf({ userGroupId: "acme" }), 'user group "acme"');
    assert.equal(nameOf({ userGroupId: "acme", connection: "eu" }), 'user group "acme" (connection "eu")');
  });

  it("is one short line, whatever the ID of a group is", () => {
    assert.equal(nameOf({ userGroupId: 'a"\n::error::' }), 'user group "a\\"\\n::error::"');
    assert.equal(firstFew([{ userGroupId: "a\nb" }]), '"a\\nb"');
    assert.equal(nameOf({ userGroupId: "x".repeat(80) }), `user group "${"x".repeat(80)}"`);
    assert.equal(nameOf({ userGroupId: "x".repeat(100_000) }), `user group "${"x".repeat(80)}…"`);
    assert(firstFew(new Array<GroupName>(7).fill({ userGroupId: "\n".repeat(100_000) })).length < 1000);
  });

  it("names the first few of many groups", () => {
    const groups = ["a", "b", "c", "d", "e", "f", "g"].map((userGroupId) => ({
      userGroupId,
      connection: "eu",
    }));
    assert.equal(namesOf([]), "no user group");
    assert.equal(namesOf(groups.slice(0, 1)), 'user group "a" (connection "eu")');
    assert.equal(namesOf(groups), 'user groups "a", "b", "c", "d", "e" and 2 more (connection "eu")');
    assert.equal(namesOf([{ userGroupId: "a" }, { userGroupId: "b" }]), 'user groups "a", "b"');
    assert.equal(firstFew(groups.slice(0, 5)), '"a", "b", "c", "d", "e"');
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

  it("stays as it is if it is an error for people", () => {
    const error = new UserGroupError("not-found", "Nothing there.");
    assert.equal(toUserGroupError(error), error);
  });
});

import assert from "node:assert/strict";
import { cannot, firstFew, nameOf, namesOf, UserGroupError, warn } from "../../provider/src/errors";
import { withWarnings } from "./world";

describe("errors", () => {
  it("say what failed, why and what to do, with their code at the end", () => {
    const subject = { operation: "delete", userGroupId: "acme" } as const;
    const error = cannot(subject, "service-refused", "it refused", "Ask it.");
    assert(error instanceof UserGroupError);
    assert.equal(error.message, 'Cannot delete user group "acme": it refused. Ask it. [service-refused]');
    assert.equal(error.code, "service-refused");
  });

  it("print no stack, and nothing twice", () => {
    const error = new UserGroupError("not-found", "Nothing there.");
    assert.equal(error.stack, error.message);
    assert.equal(error.toString(), "UserGroupError");
  });

  it("name a group, and its connection where it has one", () => {
    assert.equal(nameOf({ userGroupId: "acme" }), 'user group "acme"');
    assert.equal(nameOf({ userGroupId: "acme", connection: "eu" }), 'user group "acme" (connection "eu")');
  });

  it("stay in one line, whatever a group's ID holds", () => {
    assert.equal(nameOf({ userGroupId: 'a"\n::error::' }), 'user group "a\\"\\n::error::"');
    assert.equal(firstFew(["a\nb"]), '"a\\nb"');
  });

  it("name the first few of many groups", () => {
    const groups = ["a", "b", "c", "d", "e", "f", "g"].map((userGroupId) => ({
      userGroupId,
      connection: "eu",
    }));
    assert.equal(namesOf([]), "no user group");
    assert.equal(namesOf(groups.slice(0, 1)), 'user group "a" (connection "eu")');
    assert.equal(namesOf(groups.slice(0, 2)), 'user groups "a", "b" (connection "eu")');
    assert.equal(namesOf(groups), 'user groups "a", "b", "c", "d", "e" and 2 more (connection "eu")');
    assert.equal(namesOf([{ userGroupId: "a" }, { userGroupId: "b" }]), 'user groups "a", "b"');
    assert.equal(firstFew(["a", "b", "c", "d", "e"]), '"a", "b", "c", "d", "e"');
  });
});

describe("warnings", () => {
  it("are lines of the standard error output", () =>
    withWarnings(async (warnings) => {
      warn("The group was gone.");
      await Promise.resolve();
      assert.deepEqual(warnings, ["warning: The group was gone.\n"]);
    }));
});

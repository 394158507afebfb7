import assert from "node:assert/strict";
import type { Failures } from "../../../provider/src/core/eachGroup";
import { isComplete, recordedFailure, unrecordedFailure } from "../../../provider/src/core/partialFailure";
import { UserGroupError } from "../../../provider/src/errors";

function failuresOf(ids: readonly string[], untried: string[] = []): Failures {
  const failed = ids.map((userGroupId) => ({
    userGroupId,
    error: new UserGroupError("service-refused", `Cannot create user group "${userGroupId}".`),
  }));
  return { failed, untried };
}

describe("a partial failure", () => {
  it("is none if all groups were done", () => {
    assert(isComplete(failuresOf([])));
    assert.equal(recordedFailure(failuresOf([]), "create"), undefined);
    for (const failures of [failuresOf(["a"]), failuresOf([], ["a"])]) assert(!isComplete(failures));
  });

  it("has a reason for each group", () => {
    const { error, reasons } = recordedFailure(failuresOf(["a"]), "update") ?? assert.fail("none");
    assert.equal(error.code, "partial-failure");
    assert.deepEqual(reasons, [
      "Cannot update all user groups: 1 failed. What was done is recorded, and the next pulumi up does the rest. " +
        "[partial-failure]",
      'Cannot create user group "a". [service-refused]',
    ]);
  });

  it("has the first ten errors, and names a few of the others and of the groups that weren't tried", () => {
    const ids = Array.from({ length: 17 }, (_, n) => `t${n}`);
    const { reasons } = recordedFailure(failuresOf(ids, ["u1", "u2"]), "update") ?? assert.fail("none");
    assert.match(reasons[0] ?? "", /17 failed, and 2 were not tried\./);
    assert.equal(reasons.length, 1 + 10 + 2);
    assert.equal(reasons[11], 'Also failed: "t10", "t11", "t12", "t13", "t14" and 2 more.');
    assert.equal(reasons[12], 'Not tried: "u1", "u2".');
  });

  for (const [operation, remedy] of [
    ["read", "Nothing was recorded. Run the same command again."],
    [
      "delete",
      "The state still has every group, the deleted ones as well. Run the same command again to delete the rest, or " +
        "pulumi refresh to create the deleted groups again. A plain pulumi up sees no difference.",
    ],
  ] as const)
    it(`of a ${operation} that can't record it says what helps`, () => {
      const { code, message } = unrecordedFailure(failuresOf(["a"], ["b"]), operation);
      assert.equal(code, "partial-failure");
      assert.equal(
        message,
        `Cannot ${operation} all user groups: 1 failed, and 1 were not tried. Cannot create user group "a". ` +
          `[service-refused] Not tried: "b". ${remedy} [partial-failure]`,
      );
    });
});

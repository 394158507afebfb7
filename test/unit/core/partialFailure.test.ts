import assert from "node:assert/strict";
import type { Failures } from "../../../provider/src/core/userGroups/eachGroup";
import { maxFailureBytes, structBytes } from "../../../provider/src/core/userGroups/sizeLimit";
import {
  isComplete,
  stateOfFailures,
  unrecordedFailure,
} from "../../../provider/src/core/userGroups/partialFailure";
import { UserGroupError } from "../../../provider/src/errors";

function failuresOf(ids: readonly string[], untried: string[] = []): Failures {
  const failed = ids.map((userGroupId) => ({
    userGroupId,
    error: new UserGroupError("service-refused", `Cannot create user group "${userGroupId}".`),
  }));
  return { failed, untried: untried.map((userGroupId) => ({ userGroupId })) };
}

/** The outcome of an update, with its warnings. */
function outcomeOf(failures: Failures, state: Record<string, unknown> = { name: "Acme" }) {
  const warnings: string[] = [];
  const logger = {
    info: () => assert.fail("an information"),
    warn: (line: string) => void warnings.push(line),
  };
  return { ...stateOfFailures({ id: "id", state }, failures, "update", logger), warnings };
}

describe("a partial failure", () => {
  it("is none if all groups were done", () => {
    assert.deepEqual(outcomeOf(failuresOf([])), { id: "id", state: { name: "Acme" }, warnings: [] });
    for (const failures of [failuresOf(["a"]), failuresOf([], ["a"])]) assert(!isComplete(failures));
  });

  it("has the state of what was done, and a reason for each group", () => {
    const { id, state, failure = assert.fail("none"), warnings } = outcomeOf(failuresOf(["a"]));
    assert.deepEqual([id, state, warnings], ["id", { name: "Acme" }, []]);
    assert.equal(failure.error.code, "partial-failure");
    assert.deepEqual(failure.reasons, [
      "Cannot update all user groups: 1 user group failed. The state has every completed change. Run pulumi up again to do the rest. " +
        "[partial-failure]",
      'Cannot create user group "a". [service-refused]',
    ]);
  });

  it("has the first ten errors, and names a few of the others and of the groups that weren't tried", () => {
    const ids = Array.from({ length: 17 }, (_, n) => `t${n}`);
    const { reasons } = outcomeOf(failuresOf(ids, ["u1", "u2"])).failure ?? assert.fail("none");
    assert.match(reasons[0] ?? "", /17 user groups failed, and 2 were not tried\./);
    assert.equal(reasons.length, 1 + 10 + 2);
    assert.equal(reasons[11], 'Also failed: "t10", "t11", "t12", "t13", "t14" and 2 more.');
    assert.equal(reasons[12], 'Not tried: "u1", "u2".');
  });

  it("is a warning if the state is too large to be recorded with an error", () => {
    const overhead = structBytes({ name: "x".repeat(maxFailureBytes) }) - maxFailureBytes;
    const largest = { name: "x".repeat(maxFailureBytes - overhead) };
    assert(outcomeOf(failuresOf(["a"]), largest).failure);
    const state = { name: `${largest.name}x` };
    const outcome = outcomeOf(failuresOf(["a"]), state);
    assert.deepEqual([outcome.state, outcome.failure, outcome.warnings.length], [state, undefined, 1]);
    assert.match(
      outcome.warnings[0] ?? "",
      /1 user group failed\..*\[service-refused\] This is a warning because an error can't carry a state of this size/,
    );
  });

  for (const [operation, remedy] of [
    ["read", "Nothing was recorded. Run the same command again."],
    [
      "delete",
      "The state still has every group, including the deleted ones. Run the same command again to delete the rest, or " +
        "run pulumi refresh to create the deleted groups again, with new tokens. pulumi up alone sees no difference.",
    ],
  ] as const)
    it(`of a ${operation} that can't record it says what helps`, () => {
      const { code, message } = unrecordedFailure(failuresOf(["a"], ["b"]), operation);
      assert.equal(code, "partial-failure");
      assert.equal(
        message,
        `Cannot ${operation} all user groups: 1 user group failed, and 1 were not tried. Cannot create user group "a". ` +
          `[service-refused] Not tried: "b". ${remedy} [partial-failure]`,
      );
    });
});

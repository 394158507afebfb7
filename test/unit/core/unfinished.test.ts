import assert from "node:assert/strict";
import { z } from "zod";
import { UserGroupError } from "../../../provider/src/errors";
import type { Failures } from "../../../provider/src/provider/eachGroup";
import { orUnfinished, unrecorded } from "../../../provider/src/provider/unfinished";

const outputs = { groups: { b: { name: "B" } }, tokens: { b: "token" }, adopted: [] };

describe("an operation that some groups didn't survive", () => {
  it("is none where all went well", () => {
    assert.equal(orUnfinished({ failed: [], untried: [] }, "create", "user-groups", {}, outputs), outputs);
  });

  it("records what was done, the provider with it, and gives a reason for each failure", () => {
    const error = initErrorOf(failuresOf(["a"]), { groups: {}, __provider: "text" });
    assert.equal(error.id, "user-groups");
    assert.deepEqual(error.properties, { ...outputs, __provider: "text" });
    assert.deepEqual(error.reasons, [
      "Cannot update all user groups: 1 failed. What was done is recorded, and the next pulumi up does the rest. [unfinished]",
      'Cannot create user group "a". [service-refused]',
    ]);
  });

  it("gives the first ten failures, and names a few of the rest and of those that weren't tried", () => {
    const ids = Array.from({ length: 17 }, (_, n) => `t${n}`);
    const { reasons } = initErrorOf({ ...failuresOf(ids), untried: ["u1", "u2"] }, {});
    assert.match(reasons[0] ?? "", /17 failed, and 2 were not tried after that\./);
    assert.equal(reasons.length, 1 + 10 + 2);
    assert.equal(reasons[11], 'Also failed: "t10", "t11", "t12", "t13", "t14" and 2 more.');
    assert.equal(reasons[12], 'Not tried: "u1", "u2".');
  });

  it("says all in one line where nothing can be recorded, and that it can be done again", () => {
    const error = unrecorded({ ...failuresOf(["a"]), untried: ["b"] }, "delete");
    assert.equal(error.code, "unfinished");
    assert.equal(
      error.message,
      "Cannot delete all user groups: 1 failed, and 1 were not tried after that. " +
        'Cannot create user group "a". [service-refused] Not tried: "b". ' +
        "Run the same command again: it goes on from there. [unfinished]",
    );
  });
});

function failuresOf(ids: readonly string[]): Failures {
  const failed = ids.map((userGroupId) => ({
    userGroupId,
    error: new UserGroupError("service-refused", `Cannot create user group "${userGroupId}".`),
  }));
  return { failed, untried: [] };
}

const initError = z.object({ id: z.string(), properties: z.unknown(), reasons: z.array(z.string()) });

function initErrorOf(failures: Failures, inputs: object): z.infer<typeof initError> {
  try {
    orUnfinished(failures, "update", "user-groups", inputs, outputs);
  } catch (error) {
    return initError.parse(error);
  }
  throw new Error("Nothing was thrown.");
}

import assert from "node:assert/strict";
import { newFixture, requestsTo, stepsOf, succeeds, warningsOf } from "./harness";

const nothing = { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined };

describe("a preview without settings", () => {
  const fixture = newFixture(() => ({ program: original }));

  it("shows every kind of change, and sends no request", async () => {
    succeeds(await fixture.stack.up());
    fixture.emulator.clearRequests();
    await fixture.stack.program(changed);
    const preview = succeeds(await fixture.stack.preview({ env: nothing }));
    assert.deepEqual(stepsOf(preview, "kept"), ["same"]);
    assert.deepEqual(stepsOf(preview, "renamed"), ["delete-replaced", "replace", "create-replacement"]);
    assert.deepEqual(stepsOf(preview, "moved"), ["create-replacement", "replace", "delete-replaced"]);
    assert.deepEqual(stepsOf(preview, "removed"), ["delete"]);
    assert.deepEqual(stepsOf(preview, "added"), ["create"]);
    assert.equal(warningsOf(preview).length, 1);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });
});

function programOf(groups: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    for (const [resource, userGroupId, name] of ${groups}) new UserGroup(resource, { userGroupId, name });
    const found = UserGroup.get("found", "found", { name: "Found" });
    exports.found = found.token;
  `;
}

const original = programOf(`[
  ["kept", "kept", "Kept"], ["renamed", "renamed", "Before"], ["moved", "before", "Moved"], ["removed", "removed", "Gone"]
]`);
const changed = programOf(`[
  ["kept", "kept", "Kept"], ["renamed", "renamed", "After"], ["moved", "after", "Moved"], ["added", "added", "New"]
]`);

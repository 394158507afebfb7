import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, warningsOf } from "./harness";

const nothing = { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined };

describe("a preview", () => {
  const world = newWorld(() => ({ program: original }));

  it("of a new stack needs no settings", async () => {
    const preview = succeeds(await world.stack.preview({ env: nothing }));
    assert.deepEqual(preview.changes, { create: 5 });
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  describe("of a stack that is there", () => {
    before(async () => {
      succeeds(await world.stack.up());
      world.emulator.clearRequests();
      await world.stack.program(changed);
    });

    for (const { without, env } of [
      { without: "settings", env: nothing },
      { without: "an API token", env: { USER_GROUPS_API_TOKEN: undefined } },
    ]) {
      it(`shows every kind of change without ${without}`, async () => {
        const preview = succeeds(await world.stack.preview({ env }));
        assert.deepEqual(stepsOf(preview, "kept"), ["same"]);
        assert.deepEqual(stepsOf(preview, "renamed"), ["delete-replaced", "replace", "create-replacement"]);
        assert.deepEqual(stepsOf(preview, "moved"), ["create-replacement", "replace", "delete-replaced"]);
        assert.deepEqual(stepsOf(preview, "removed"), ["delete"]);
        assert.deepEqual(stepsOf(preview, "added"), ["create"]);
        assert.equal(warningsOf(preview).length, 1);
        assert.deepEqual(requestsTo(world.emulator), []);
      });
    }
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

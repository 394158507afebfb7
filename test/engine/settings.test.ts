import assert from "node:assert/strict";
import { fails, newWorld, requestsTo, stepsOf, succeeds } from "./harness";

describe("settings", () => {
  const world = newWorld(
    (emulator) => ({
      program: programOf("Before"),
      env: { USER_GROUPS_BASE_URL: `${emulator.baseUrl}/` },
      config: {
        "user-groups:baseUrl": "https://service.invalid",
        "user-groups:apiToken": { secret: "hidden-token" },
        "user-groups:changes": "update",
      },
      secrets: ["hidden-token"],
    }),
    { basePath: "/tenant/v1" },
  );
  before(async () => {
    succeeds(await world.stack.up());
    await world.stack.program(programOf("After"));
  });

  it("of the environment win over the configuration, and the base URL may have a path", () => {
    assert.deepEqual(requestsTo(world.emulator), ['GET "acme" created 200']);
    assert.equal(world.emulator.requests[0]?.path, "/tenant/v1/api/user");
  });

  it("of the configuration count where the environment has none", async () => {
    assert.deepEqual(stepsOf(succeeds(await world.stack.preview()), "acme"), ["update"]);
  });

  it("of the environment win in a preview, too", async () => {
    const preview = succeeds(await world.stack.preview({ env: { USER_GROUPS_CHANGES: "replace" } }));
    assert(stepsOf(preview, "acme").includes("replace"));
  });

  it("of the configuration that are wrong are named by their key", async () => {
    const flags = ["--config", "user-groups:timeout=soon"];
    fails(await world.stack.preview({ flags }), /user-groups:timeout must be a number.*\[setting-invalid\]/);
  });
});

function programOf(name: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "${name}" });
  `;
}

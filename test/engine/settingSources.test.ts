import assert from "node:assert/strict";
import { fails, newFixture, requestsTo, stepsOf, succeeds } from "./harness";

describe("settings", () => {
  const fixture = newFixture(
    (emulator) => ({
      program: programOf("Before"),
      env: { USER_GROUPS_BASE_URL: `${emulator.baseUrl}/` },
      config: {
        "user-groups:baseUrl": "https://service.invalid",
        "user-groups:apiToken": { secret: "hidden-token" },
        "user-groups:changes": "update",
      },
      secrets: ["hidden-token", "hidden value"],
    }),
    { basePath: "/tenant/v1" },
  );
  before(async () => {
    succeeds(await fixture.stack.up());
    await fixture.stack.program(programOf("After"));
  });

  it("of the environment win over the configuration, and the base URL may have a path", () => {
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" created 200']);
    assert.equal(fixture.emulator.requests[0]?.path, "/tenant/v1/api/user");
  });

  it("of the configuration count where the environment has none", async () => {
    assert.deepEqual(stepsOf(succeeds(await fixture.stack.preview()), "acme"), ["update"]);
  });

  it("of the environment win in a preview, too", async () => {
    const preview = succeeds(await fixture.stack.preview({ env: { USER_GROUPS_CHANGES: "replace" } }));
    assert(stepsOf(preview, "acme").includes("replace"));
  });

  it("that are missing are named with both sources", async () => {
    succeeds(await fixture.stack.run(["config", "rm", "user-groups:apiToken", "--stack", "dev"]));
    const up = fails(await fixture.stack.up({ env: { USER_GROUPS_API_TOKEN: undefined } }));
    const sources = /user-groups:apiToken is missing.*USER_GROUPS_API_TOKEN.*pulumi config set --secret/;
    assert.match(up.output, sources);
    assert.match(up.output, /\[setting-missing\]/);
  });

  it("that are wrong are named by their source, and not shown", async () => {
    const flags = ["--config", "user-groups:timeout=soon"];
    const wrong = { USER_GROUPS_API_TOKEN: "hidden value" };
    fails(
      await fixture.stack.preview({ env: wrong }),
      /USER_GROUPS_API_TOKEN must be visible ASCII.*\[setting-invalid\]/,
    );
    fails(
      await fixture.stack.preview({ flags }),
      /user-groups:timeout must be a number.*\[setting-invalid\]/,
    );
  });
});

function programOf(name: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "${name}" });
  `;
}

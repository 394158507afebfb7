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

describe("settings that are wrong", () => {
  const world = newWorld(() => ({ program: programOf("Tenant"), secrets: ["hidden"] }));

  for (const { setting, value, reason } of [
    { setting: "BASE_URL", value: "http://service.invalid", reason: "must be an https URL" },
    { setting: "BASE_URL", value: "https://me:hidden@service.invalid", reason: "must hold no user name" },
    { setting: "BASE_URL", value: "https://service.invalid?key=hidden", reason: "must have no query" },
    {
      setting: "BASE_URL",
      value: "https://service.invalid/#hidden",
      reason: "must have no query and no fragment",
    },
    { setting: "BASE_URL", value: "service.invalid", reason: "must be an absolute URL" },
    { setting: "API_TOKEN", value: "hidden token", reason: "must be visible ASCII" },
    { setting: "CHANGES", value: "hidden", reason: 'must be "replace" or "update"' },
  ]) {
    it(`are refused in the preview, and not shown: ${setting} ${value}`, async () => {
      const name = `USER_GROUPS_${setting}`;
      const preview = fails(await world.stack.preview({ env: { [name]: value } }));
      assert.match(preview.output, new RegExp(`${name} ${reason}.*\\[setting-invalid\\]`));
      assert.deepEqual(requestsTo(world.emulator), []);
    });
  }

  it("or missing are asked for when they are needed, with the ways to give them", async () => {
    const up = fails(await world.stack.up({ env: { USER_GROUPS_API_TOKEN: undefined } }));
    assert.match(
      up.output,
      /user-groups:apiToken is missing.*USER_GROUPS_API_TOKEN.*pulumi config set --secret/,
    );
    assert.match(up.output, /\[setting-missing\]/);
    assert(!(await world.stack.resources()).some(({ name }) => name === "acme"));
  });
});

function programOf(name: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    new UserGroup("acme", { userGroupId: "acme", name: "${name}" });
  `;
}

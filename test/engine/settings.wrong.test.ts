import assert from "node:assert/strict";
import { fails, newWorld, requestsTo } from "./harness";

describe("settings that are wrong", () => {
  const world = newWorld(() => ({ program, secrets: ["hidden"] }));

  for (const { setting, value, reason } of [
    { setting: "BASE_URL", value: "http://service.invalid", reason: "must be an https URL" },
    { setting: "BASE_URL", value: "https://me:hidden@service.invalid", reason: "must contain no user name" },
    {
      setting: "BASE_URL",
      value: "https://service.invalid?key=hidden",
      reason: "must have no query and no fragment",
    },
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

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Tenant" });
`;

import assert from "node:assert/strict";
import { PluginProcess } from "../../harness/pluginProcess";
import { newFixture, requestsTo, succeeds } from "../harness";
import { pluginProgram } from "./pluginProgram";

describe("a plugin that runs already", () => {
  const fixture = newFixture(() => ({
    program: pluginProgram('new UserGroup("acme", { userGroupId: "acme", name: "Acme" });'),
  }));

  it("is used by an engine that PULUMI_DEBUG_PROVIDERS tells of its port", async () => {
    const { baseUrl, apiToken } = fixture.emulator;
    const plugin = await PluginProcess.start(undefined, {
      USER_GROUPS_BASE_URL: baseUrl,
      USER_GROUPS_API_TOKEN: apiToken,
    });
    try {
      const env = {
        PULUMI_DEBUG_PROVIDERS: `user-groups:${plugin.port}`,
        // Only the plugin that runs already knows the service.
        USER_GROUPS_BASE_URL: undefined,
        USER_GROUPS_API_TOKEN: undefined,
      };
      succeeds(await fixture.stack.up({ env }));
      assert.deepEqual(requestsTo(fixture.emulator), ['GET "acme" created 200']);
    } finally {
      await plugin.stop();
    }
  });
});

/** Settings of several services, as the engine passes them on. test/contract/plugin has what a provider of the plugin does with its own. */
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { isSecret, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "./harness";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

describe("two connections, from the environment and from an object in the configuration", () => {
  let eu: Emulator;
  let us: Emulator;
  before("two services", async () => {
    eu = await startEmulator();
    us = await startEmulator();
  });
  after("their end", () => Promise.all([eu.stop(), us.stop()]));
  const fixture = newFixture(() => ({
    program: packageProgram(`
      for (const connection of ["eu", "us"])
        new UserGroup(connection, { userGroupId: "acme", name: "Acme", connection });
    `),
    services: [eu, us],
    env: {
      USER_GROUPS_EU_BASE_URL: eu.baseUrl,
      USER_GROUPS_EU_API_TOKEN: eu.apiToken,
      USER_GROUPS_EU_HEADERS: '{"x-key":"s3cret-key-of-eu"}',
    },
    config: {
      "user-groups:us.baseUrl": us.baseUrl,
      "user-groups:us.apiToken": { secret: us.apiToken },
      "user-groups:us.headers.x-key": { secret: "s3cret-key-of-us" },
    },
    secrets: ["s3cret-key-of-eu", "s3cret-key-of-us"],
  }));

  it("each lead to their service with its own token and headers, also in a refresh and a destroy", async () => {
    const { stack, emulator } = fixture;
    for (const [command, line] of [
      ["up", 'GET "acme" created 200'],
      ["refresh", 'GET "acme" returned 200'],
      ["destroy", 'DELETE "acme" deleted 200'],
    ] as const) {
      succeeds(await stack[command]());
      for (const [name, service] of Object.entries({ eu, us })) {
        assert.deepEqual(requestsTo(service), [line]);
        for (const { authorized, headers } of service.requests)
          assert.deepEqual([authorized, headers["x-key"]], [true, `s3cret-key-of-${name}`]);
        service.clearRequests();
      }
    }
    assert.deepEqual(requestsTo(emulator), []);
  });
});

describe("an explicit provider of the plugin, named like the default one", () => {
  const programOf = (timeout: number) =>
    pluginProgram(`
      const args = { baseUrl: process.env.USER_GROUPS_BASE_URL, timeout: ${timeout} };
      const apiToken = new pulumi.Config().require("token");
      const identity = { clientCertificate: ${JSON.stringify(tls.cert)}, clientKey: ${JSON.stringify(tls.key)} };
      const headers = { "X-Key": "s3cret-key" };
      const provider = new Provider("default_2_0_0", { ...args, apiToken, headers, ...identity });
      new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { provider });
      const options = { dependsOn: provider, pluginDownloadURL: "https://plugins.example" };
      new UserGroup("globex", { userGroupId: "globex", name: "Globex" }, options);
    `);
  const fixture = newFixture(({ apiToken }) => ({
    program: programOf(20),
    config: {
      "tests:token": { secret: apiToken },
      "user-groups:apiToken": { secret: apiToken },
      "user-groups:headers.x-key": { secret: "s3cret-configured" },
    },
    env: { USER_GROUPS_API_TOKEN: undefined },
    secrets: ["s3cret-key", "s3cret-configured", tls.key.split("\n")[1] ?? ""],
  }));

  it("keeps its secrets encrypted, and a change of it updates no group; others have the configuration's settings", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    const keys = emulator.requests.map(({ userGroupId, headers }) => `${userGroupId} ${headers["x-key"]}`);
    assert.deepEqual(keys.sort(), ["acme s3cret-key", "globex s3cret-configured"]);
    const { type } = await stack.resource("default_2_0_0");
    const providers = (await stack.resources()).filter((resource) => resource.type === type);
    assert.equal(providers.length, 2);
    for (const { name, inputs } of providers) {
      assert(isSecret(inputs["apiToken"]) && isSecret(inputs["headers"]));
      assert.equal(isSecret(inputs["clientKey"]), name === "default_2_0_0");
    }
    await stack.program(programOf(30));
    // The engine doesn't count a provider of such a name.
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.deepEqual(requestsTo(emulator).sort(), ['GET "acme" created 200', 'GET "globex" created 200']);
  });
});

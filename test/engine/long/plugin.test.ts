import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, isSecret, newFixture, pluginProgram, requestsTo, succeeds } from "../harness";

describe("plugin: explicit providers", () => {
  let us: Emulator;
  before("another service", async () => {
    us = await startEmulator();
  });
  const programOf = (baseUrl: string, timeout = 20) =>
    pluginProgram(`
      const providers = {
        eu: new Provider("eu", { baseUrl: "${baseUrl}", timeout: ${timeout} }),
        us: new Provider("us", { baseUrl: "${us.baseUrl}", apiToken: new pulumi.Config().requireSecret("us") }),
      };
      for (const [name, provider] of Object.entries(providers))
        new UserGroup("acme-" + name, { userGroupId: "acme", name: "Acme" }, { provider });
    `);
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program: programOf(baseUrl),
    services: [us],
    config: { "tests:us": { secret: us.apiToken } },
    env: { USER_GROUPS_EU_API_TOKEN: apiToken, USER_GROUPS_BASE_URL: "https://example.invalid" },
  }));
  after("its end", () => us.stop());

  it("lead to their services, and have their API token encrypted in the state, except one of the environment", async () => {
    const { stack, emulator } = fixture;
    succeeds(await stack.up());
    for (const service of [emulator, us]) assert.deepEqual(requestsTo(service), ['GET "acme" created 200']);
    assert.equal((await stack.resource("eu")).inputs["apiToken"], undefined);
    assert(isSecret((await stack.resource("us")).inputs["apiToken"]));
  });

  it("are updated for another timeout, and their groups are left alone", async () => {
    const { stack, emulator } = fixture;
    await stack.program(programOf(emulator.baseUrl, 30));
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 4, update: 1 });
    assert.equal(emulator.requests.length, 1);
  });

  it("of another service don't take a group over: the error names both addresses", async () => {
    await fixture.stack.program(programOf(us.baseUrl));
    const { output } = fails(await fixture.stack.preview(), /\[service-changed\]/);
    assert(output.includes(`the state belongs to the service at ${fixture.emulator.baseUrl}`));
    assert(output.includes(us.baseUrl));
  });
});

describe("plugin: the progress of a long operation", () => {
  const program = pluginProgram('new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });');
  const fixture = newFixture(() => ({ program }), { latency: 11_000 });

  it("is printed while it runs, and isn't among the diagnostics afterwards", async () => {
    const { output } = succeeds(await fixture.stack.up());
    assert.match(output, /creating \(\d+s\) 0 of 1 user groups are done\./);
    assert.doesNotMatch(output, /^Diagnostics:/m);
  });
});

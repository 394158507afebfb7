import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { fails, isSecret, newStack, newFixture, requestsTo, succeeds, type Stack } from "../harness";
import { pluginProgram } from "./pluginProgram";

describe("plugin: explicit providers", () => {
  let eu: Emulator;
  let us: Emulator;
  let stack: Stack;
  before(async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
    stack = await newStack({
      program: twoServices(eu, us),
      services: [eu, us],
      config: { "tests:us": { secret: us.apiToken } },
      env: { USER_GROUPS_EU_API_TOKEN: eu.apiToken, USER_GROUPS_BASE_URL: "https://example.invalid" },
    });
    succeeds(await stack.up());
  });
  after(async () => {
    await stack.remove();
    await eu.stop();
    await us.stop();
  });

  it("lead to their services, whatever the environment says of the default one", () => {
    assert.deepEqual(requestsTo(eu), ['GET "acme" created 200']);
    assert.deepEqual(requestsTo(us), ['GET "acme" created 200']);
  });

  it("have their API token encrypted in the state; a token of the environment isn't there", async () => {
    const [euState, usState] = [await stack.resource("eu"), await stack.resource("us")];
    assert.equal(euState.inputs["apiToken"], undefined);
    assert(isSecret(usState.inputs["apiToken"]));
  });

  it("are updated for another timeout, and their groups are left alone", async () => {
    await stack.program(twoServices(eu, us, 30));
    const up = succeeds(await stack.up());
    assert.deepEqual(up.changes, { same: 4, update: 1 });
    assert.equal(eu.requests.length, 1);
  });

  it("of another service don't take a group over: the error names both addresses", async () => {
    await stack.program(twoServices(us, us));
    const preview = fails(await stack.preview());
    assert(preview.output.includes(`the state belongs to the service at ${eu.baseUrl}`));
    assert(preview.output.includes(us.baseUrl));
    assert.match(preview.output, /\[service-changed\]/);
  });
});

describe("plugin: invalid input", () => {
  const fixture = newFixture(() => ({ program: pluginProgram("") }));

  it("of each argument is reported in the preview", async () => {
    await fixture.stack.program(
      pluginProgram(`
        new UserGroup("eu", { userGroupId: "eu", name: 5, mapping: { sales: true }, connection: "eu" });
      `),
    );
    fails(
      await fixture.stack.preview(),
      /property connection is not an argument of the plugin: pass an explicit provider/,
      /property name must be a string/,
      /mapping\.sales.* must be a string or a number/,
    );
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("of a setting is reported without its value", async () => {
    const env = { USER_GROUPS_API_TOKEN: "line\nbreak", USER_GROUPS_TIMEOUT: "soon" };
    const { output } = fails(await fixture.stack.preview({ env }));
    assert.match(output, /The setting USER_GROUPS_API_TOKEN must be visible ASCII/);
    assert.match(output, /The setting USER_GROUPS_TIMEOUT must be a number of seconds\. \[setting-invalid\]/);
    assert.doesNotMatch(output, /soon|break"/);
  });
});

function twoServices(eu: Emulator, us: Emulator, timeout = 20): Record<string, string> {
  return pluginProgram(`
    const providers = {
      eu: new Provider("eu", { baseUrl: "${eu.baseUrl}", timeout: ${timeout} }),
      us: new Provider("us", { baseUrl: "${us.baseUrl}", apiToken: new pulumi.Config().requireSecret("us") }),
    };
    for (const [name, provider] of Object.entries(providers))
      new UserGroup("acme-" + name, { userGroupId: "acme", name: "Acme" }, { provider });
  `);
}

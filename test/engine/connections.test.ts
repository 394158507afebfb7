import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { fails, isSecret, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "./harness";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";

describe("two connections, from the environment and from an object in the configuration", () => {
  let eu: Emulator;
  let us: Emulator;
  before("two services", async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
  });
  after("their end", () => Promise.all([eu.stop(), us.stop()]));
  const fixture = newFixture(() => ({
    program: packageProgram(`
      for (const connection of ["eu", "us"])
        new UserGroup(connection, { userGroupId: "acme", name: "Acme", connection });
    `),
    services: [eu, us],
    env: {
      ...{ USER_GROUPS_EU_BASE_URL: eu.baseUrl, USER_GROUPS_EU_API_TOKEN: eu.apiToken },
      USER_GROUPS_EU_HEADERS: '{"x-key":"s3cret-key-of-eu"}',
    },
    secrets: ["s3cret-key-of-eu", "s3cret-key-of-us"],
  }));

  it("each lead to their service with its own token and headers, also in a refresh and a destroy", async () => {
    const { stack, emulator } = fixture;
    const set = ["config", "set-all", "--stack", "dev", "--path"];
    const address = ["--plaintext", `user-groups:us.baseUrl=${us.baseUrl}`];
    const secret = ["--secret", `user-groups:us.apiToken=${us.apiToken}`];
    const header = ["--secret", "user-groups:us.headers.x-key=s3cret-key-of-us"];
    succeeds(await stack.run([...set, ...address, ...secret, ...header]));
    for (const [command, line] of [
      ["up", 'GET "acme" created 200'],
      ["refresh", 'GET "acme" returned 200'],
      ["destroy", 'DELETE "acme" deleted 200'],
    ] as const) {
      succeeds(await stack[command]());
      for (const service of [eu, us]) {
        assert.deepEqual(requestsTo(service), [line]);
        assert(service.requests.every(({ authorized }) => authorized));
        const key = service === eu ? "s3cret-key-of-eu" : "s3cret-key-of-us";
        assert(service.requests.every(({ headers }) => headers["x-key"] === key));
        service.clearRequests();
      }
    }
    assert.deepEqual(requestsTo(emulator), []);
  });
});

describe("an explicit provider of the plugin", () => {
  const programOf = (timeout: number) =>
    pluginProgram(`
      const args = { baseUrl: process.env.USER_GROUPS_BASE_URL, timeout: ${timeout} };
      const apiToken = new pulumi.Config().require("token");
      const identity = { clientCertificate: ${JSON.stringify(tls.cert)}, clientKey: ${JSON.stringify(tls.key)} };
      const headers = { "X-Key": "s3cret-key" };
      const provider = new Provider("default_2_0_0", { ...args, apiToken, headers, ...identity });
      new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { provider });
      new UserGroup("globex", { userGroupId: "globex", name: "Globex" }, { dependsOn: provider });
    `);
  const fixture = newFixture(({ apiToken }) => ({
    program: programOf(20),
    config: { "tests:token": { secret: apiToken }, "user-groups:apiToken": { secret: apiToken } },
    env: { USER_GROUPS_API_TOKEN: undefined },
    secrets: ["s3cret-key", "s3cret-configured", tls.key.split("\n")[1] ?? ""],
  }));

  it("named like the default one keeps its secrets encrypted, and a change of it updates no group", async () => {
    const { stack, emulator } = fixture;
    const header = ["--secret", "user-groups:headers.x-key", "s3cret-configured"];
    succeeds(await stack.run(["config", "set", "--stack", "dev", "--path", ...header]));
    succeeds(await stack.up());
    const keys = emulator.requests.map(({ userGroupId, headers }) => `${userGroupId} ${headers["x-key"]}`);
    assert.deepEqual(keys.sort(), ["acme s3cret-key", "globex s3cret-configured"]);
    const explicit = await stack.resource("default_2_0_0");
    const providers = (await stack.resources()).filter(({ type }) => type === explicit.type);
    assert.deepEqual(
      providers
        .map(({ name, inputs }) => [
          name === explicit.name,
          inputs["__explicit"],
          [inputs["apiToken"], inputs["headers"]].every(isSecret),
          isSecret(inputs["clientKey"]),
        ])
        .sort(),
      [
        [false, undefined, true, false],
        [true, true, true, true],
      ],
    );
    await stack.program(programOf(30));
    // The engine doesn't count a provider of such a name.
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
    assert.deepEqual(requestsTo(emulator).sort(), ['GET "acme" created 200', 'GET "globex" created 200']);
  });
});

describe("an API token of the configuration", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator();
  });
  after("its end", () => other.stop());
  const fixture = newFixture(({ baseUrl, apiToken }) => ({
    program: packageProgram('new UserGroup("acme", { userGroupId: "acme", name: "Acme" });'),
    config: { "user-groups:baseUrl": baseUrl, "user-groups:apiToken": { secret: apiToken } },
    env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
    services: [other],
  }));

  it("isn't sent to another address in the environment", async () => {
    const { stack, emulator } = fixture;
    const elsewhere = { USER_GROUPS_BASE_URL: other.baseUrl };
    fails(await stack.up({ env: elsewhere }), /apiToken.*\[setting-missing\]/);
    assert.equal(other.connections, 0);
    succeeds(await stack.up({ env: { USER_GROUPS_BASE_URL: `${emulator.baseUrl}/` } }));
    assert.equal(emulator.groups.size, 1);
  });
});

describe("the default provider of the plugin", () => {
  let other: Emulator;
  before("another service", async () => {
    other = await startEmulator();
  });
  after("its end", () => other.stop());
  const fixture = newFixture(() => ({ program: pluginProgram(""), services: [other] }));

  it("isn't an explicit one that has its name, so its API token stays with its address", async () => {
    await fixture.stack.program(
      pluginProgram(`
        const provider = new Provider("default_2_0_0", { baseUrl: ${JSON.stringify(other.baseUrl)} });
        new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { provider });
      `),
    );
    fails(await fixture.stack.up(), /apiToken of the provider "default_2_0_0".*\[setting-missing\]/);
    assert.equal(other.connections, 0);
  });
});

describe("the default provider of the plugin with pluginDownloadURL and without a version", () => {
  const fixture = newFixture(({ baseUrl }) => ({
    program: pluginProgram(`
      const options = { pluginDownloadURL: "https://plugins.example" };
      new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, options);
    `),
    config: { "user-groups:baseUrl": baseUrl },
    env: { USER_GROUPS_BASE_URL: undefined },
  }));

  it("takes the API token of the environment with the address of the configuration", async () => {
    succeeds(await fixture.stack.up());
    assert.equal(fixture.emulator.groups.size, 1);
  });
});

import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { isSecret, newFixture, packageProgram, pluginProgram, requestsTo, succeeds } from "./harness";

describe("two services with a connection each", () => {
  let eu: Emulator;
  let us: Emulator;
  before("the services", async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
  });
  after("their end", () => Promise.all([eu.stop(), us.stop()]));
  const assertRequests = (line: string) => {
    for (const service of [eu, us]) {
      assert.deepEqual(requestsTo(service), [line]);
      assert(service.requests.every(({ authorized }) => authorized));
      service.clearRequests();
    }
  };

  describe("from the environment, and from an object in the configuration", () => {
    const fixture = newFixture(() => ({
      program: packageProgram(`
        for (const connection of ["eu", "us"])
          new UserGroup(connection, { userGroupId: "acme", name: "Acme", connection });
      `),
      services: [eu, us],
      env: { USER_GROUPS_EU_BASE_URL: eu.baseUrl, USER_GROUPS_EU_API_TOKEN: eu.apiToken },
    }));

    it("each get their groups with their own token, also in a refresh and a destroy", async () => {
      const { stack, emulator } = fixture;
      const set = ["config", "set-all", "--stack", "dev", "--path"];
      const address = ["--plaintext", `user-groups:us.baseUrl=${us.baseUrl}`];
      const secret = ["--secret", `user-groups:us.apiToken=${us.apiToken}`];
      succeeds(await stack.run([...set, ...address, ...secret]));
      succeeds(await stack.up());
      assertRequests('GET "acme" created 200');
      succeeds(await stack.refresh());
      assertRequests('GET "acme" returned 200');
      succeeds(await stack.destroy());
      assertRequests('DELETE "acme" deleted 200');
      assert.deepEqual(requestsTo(emulator), []);
    });
  });

  describe("of the plugin, which are explicit providers", () => {
    const programOf = (timeout: number) =>
      pluginProgram(`
        const providers = {
          eu: new Provider("eu", { baseUrl: "${eu.baseUrl}", timeout: ${timeout} }),
          us: new Provider("us", { baseUrl: "${us.baseUrl}", apiToken: new pulumi.Config().requireSecret("us") }),
        };
        for (const [name, provider] of Object.entries(providers))
          new UserGroup(name, { userGroupId: "acme", name: "Acme" }, { provider });
      `);
    const fixture = newFixture(() => ({
      program: programOf(20),
      services: [eu, us],
      config: { "tests:us": { secret: us.apiToken } },
      env: { USER_GROUPS_EU_API_TOKEN: eu.apiToken },
    }));

    it("keep the API token encrypted, and another timeout updates no group", async () => {
      const { stack } = fixture;
      succeeds(await stack.up());
      const providers = (await stack.resources()).filter(({ type }) => type.startsWith("pulumi:providers:"));
      assert.deepEqual(
        providers.map(({ inputs }) => inputs["apiToken"]).map(isSecret),
        providers.map(({ name }) => name === "us"),
      );
      await stack.program(programOf(30));
      assert.deepEqual(succeeds(await stack.up()).changes, { same: 4, update: 1 });
      assertRequests('GET "acme" created 200');
    });
  });
});

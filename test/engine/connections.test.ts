import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import {
  isSecret,
  newFixture,
  packageProgram,
  pluginProgram,
  requestsTo,
  succeeds,
  tokensOf,
} from "./harness";

/** Four connections to two services, each with its settings from another source, beside the service without a name. */
describe("connections", () => {
  let eu: Emulator;
  let us: Emulator;
  before("two services", async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
  });
  after("their end", () => Promise.all([eu.stop(), us.stop()]));
  const fixture = newFixture(() => ({
    program,
    services: [eu, us],
    env: {
      USER_GROUPS_ENVIRONMENT_BASE_URL: eu.baseUrl,
      USER_GROUPS_ENVIRONMENT_API_TOKEN: eu.apiToken,
      USER_GROUPS_OBJECT_API_TOKEN: us.apiToken,
    },
    config: {
      "user-groups:keys.baseUrl": eu.baseUrl,
      "user-groups:keys.apiToken": { secret: eu.apiToken },
    },
  }));
  before("the configuration of objects, and an up", async () => {
    const set = ["config", "set-all", "--stack", "dev", "--path"];
    const { baseUrl, apiToken } = us;
    const object = ["--plaintext", `user-groups:object.baseUrl=${baseUrl}`];
    const sealed = ["--plaintext", `user-groups:sealed.baseUrl=${baseUrl}`];
    const secret = ["--secret", `user-groups:sealed.apiToken=${apiToken}`];
    succeeds(await fixture.stack.run([...set, ...object, ...sealed, ...secret]));
    succeeds(await fixture.stack.up());
  });

  /** The requests to both services. Each has its own API token, and the service without a name gets none. */
  const assertRequests = (method: string, effect: string) => {
    const linesOf = (...ids: string[]) => ids.map((id) => `${method} "${id}" ${effect} 200`);
    assert.deepEqual(requestsTo(eu).sort(), linesOf("environment", "keys"));
    assert.deepEqual(requestsTo(us).sort(), linesOf("many", "object", "sealed"));
    for (const { authorized } of [...eu.requests, ...us.requests]) assert(authorized);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    for (const service of [eu, us]) service.clearRequests();
  };

  it("find their settings in the environment, under literal keys, and in objects, plain or secret", async () => {
    assertRequests("GET", "created");
    const { tokens } = await fixture.stack.plainOutputs();
    assert.deepEqual(tokens, { ...tokensOf(eu), ...tokensOf(us) });
  });

  it("lead a refresh and a destroy to the service that has the group", async () => {
    succeeds(await fixture.stack.refresh());
    assertRequests("GET", "returned");
    succeeds(await fixture.stack.destroy());
    assertRequests("DELETE", "deleted");
  });

  const pluginProgramOf = (timeout: number) =>
    pluginProgram(`
      const providers = {
        eu: new Provider("eu", { baseUrl: "${eu.baseUrl}", timeout: ${timeout} }),
        us: new Provider("us", { baseUrl: "${us.baseUrl}", apiToken: new pulumi.Config().requireSecret("us") }),
      };
      for (const [name, provider] of Object.entries(providers))
        new UserGroup("acme-" + name, { userGroupId: "acme", name: "Acme" }, { provider });
    `);
  const pluginFixture = newFixture(() => ({
    program: pluginProgramOf(20),
    services: [eu, us],
    config: { "tests:us": { secret: us.apiToken } },
    env: { USER_GROUPS_EU_API_TOKEN: eu.apiToken },
  }));

  it("of the plugin are explicit providers: their API token is encrypted, and a timeout updates no group", async () => {
    const { stack } = pluginFixture;
    succeeds(await stack.up());
    assert.equal((await stack.resource("eu")).inputs["apiToken"], undefined);
    assert(isSecret((await stack.resource("us")).inputs["apiToken"]));
    await stack.program(pluginProgramOf(30));
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 4, update: 1 });
    for (const service of [eu, us]) assert.deepEqual(requestsTo(service), ['GET "acme" created 200']);
  });
});

const program = packageProgram(`
  exports.tokens = {};
  for (const connection of ["environment", "keys", "object", "sealed"])
    exports.tokens[connection] = new UserGroup(connection, { userGroupId: connection, name: "A", connection }).token;
  exports.tokens.many = new UserGroups("many", { groups: { many: { name: "Many" } }, connection: "object" }).tokens.many;
`);

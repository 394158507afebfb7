import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newFixture, packageProgram, requestsTo, succeeds, tokensOf } from "./harness";

/** Four connections to two services, each with its settings from another source, beside the service without a name. */
describe("connections", () => {
  let eu: Emulator;
  let us: Emulator;
  before("two services", async () => {
    [eu, us] = [await startEmulator(), await startEmulator()];
  });
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
  after("their end", () => Promise.all([eu.stop(), us.stop()]));

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
});

const program = packageProgram(`
  exports.tokens = {};
  for (const connection of ["environment", "keys", "object", "sealed"])
    exports.tokens[connection] = new UserGroup(connection, { userGroupId: connection, name: "A", connection }).token;
  exports.tokens.many = new UserGroups("many", { groups: { many: { name: "Many" } }, connection: "object" }).tokens.many;
`);

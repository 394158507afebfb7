/** Settings of several services, as the engine passes them on. test/contract/plugin has what a provider of the plugin does with its own. */
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newFixture, packageProgram, requestsTo, succeeds } from "./harness";

describe("two connections, from the environment and from an object in the configuration", () => {
  const count = 20;
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
        for (let n = 0; n < ${count}; n += 1)
          new UserGroup(connection + n, { userGroupId: "t" + n, name: "Tenant", connection });
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

  // The SDK caches a provider before it has configured it, so operations at once can begin without the configuration.
  it("each lead to their service with its own token and headers, in many operations at once", async () => {
    const { stack, emulator } = fixture;
    for (const [command, effect] of [
      ["up", "created"],
      ["refresh", "returned"],
      ["destroy", "deleted"],
    ] as const) {
      succeeds(await stack[command]({ flags: ["--parallel", "64"] }));
      for (const [name, { requests }] of Object.entries({ eu, us })) {
        assert.equal(requests.length, count);
        for (const { authorized, headers, effect: shown } of requests)
          assert.deepEqual([shown, authorized, headers["x-key"]], [effect, true, `s3cret-key-of-${name}`]);
      }
      for (const service of [eu, us]) service.clearRequests();
    }
    assert.deepEqual(requestsTo(emulator), []);
  });
});

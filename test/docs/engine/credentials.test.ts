import assert from "node:assert/strict";
import { fails, newWorld, requestsTo, succeeds } from "../../engine/harness";

/** An API token that lies in the configuration, and was rotated after the last update. */
describe("--run-program, as docs/secrets.md describes it", () => {
  const world = newWorld((emulator) => ({
    program,
    env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
    config: {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": { secret: emulator.apiToken },
    },
  }));
  before("a group", async () => {
    succeeds(await world.stack.up());
  });
  beforeEach("another API token since the last operation", async () => {
    const command = ["config", "set", "--secret", "--stack", "dev", "user-groups:apiToken"];
    succeeds(await world.stack.run([...command, world.emulator.rotateApiToken()]));
    world.emulator.clearRequests();
  });
  const flags = ["--run-program"];

  it("lets a refresh use today's configuration, which it can't without", async () => {
    fails(await world.stack.refresh(), /\[unauthorized\]/);
    succeeds(await world.stack.refresh({ flags }));
    assert.deepEqual(requestsTo(world.emulator).at(-1), 'GET "acme" returned 200');
  });

  it("lets a destroy use today's configuration, which it can't without", async () => {
    fails(await world.stack.destroy(), /\[unauthorized\]/);
    succeeds(await world.stack.destroy({ flags }));
    assert.equal(world.emulator.groups.size, 0);
  });
});

describe("a stack with a Pulumi ESC environment, as docs/secrets.md describes it", () => {
  const world = newWorld(() => ({ program }));

  it("fails on a self-managed backend", async () => {
    await world.stack.program({ "Pulumi.dev.yaml": "environment:\n  - tenants/production\n" });
    fails(await world.stack.up(), /does not support environments/);
    assert.deepEqual(requestsTo(world.emulator), []);
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
`;

import assert from "node:assert/strict";
import { errorOf, fails, newFixture, requestsTo, succeeds } from "../../engine/harness";

/** The engine gives refresh and destroy the configuration of the last update, not today's. */
describe("an API token in the configuration, rotated, as docs/security.md describes it", () => {
  const fixture = newFixture((emulator) => ({
    program: programOf("acme"),
    env: { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined },
    config: {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": { secret: emulator.apiToken },
    },
  }));
  before("a group", async () => {
    succeeds(await fixture.stack.up());
  });
  beforeEach("another API token since the last operation", () => {
    fixture.emulator.rotateApiToken();
    fixture.emulator.clearRequests();
  });
  const configure = async () => {
    const command = ["config", "set", "--secret", "--stack", "dev", "user-groups:apiToken"];
    succeeds(await fixture.stack.run([...command, fixture.emulator.apiToken]));
  };
  const groups = () => [...fixture.emulator.groups.keys()].sort();
  const flags = ["--run-program"];

  it("makes up fail, which says where to look, until the configuration has the new one", async () => {
    await fixture.stack.program(programOf("acme", "globex"));
    const error = errorOf(fails(await fixture.stack.up()), "globex");
    assert.match(error, /user group "globex".*API token.*user-groups:apiToken.*\[unauthorized\]/);
    assert(!(await fixture.stack.resources()).some(({ name }) => name === "globex"));
    await configure();
    succeeds(await fixture.stack.up());
    assert.deepEqual(groups(), ["acme", "globex"]);
  });

  it("is used by a refresh with --run-program alone", async () => {
    await configure();
    fails(await fixture.stack.refresh(), /\[unauthorized\]/);
    succeeds(await fixture.stack.refresh({ flags }));
    assert.deepEqual(requestsTo(fixture.emulator).at(-1)?.slice(-12), "returned 200");
  });

  for (const [how, run] of [
    ["in the environment", () => ({ env: { USER_GROUPS_API_TOKEN: fixture.emulator.apiToken } })],
    ["with --run-program", () => ({ flags })],
  ] as const)
    it(`is used by a destroy only ${how}`, async () => {
      await configure();
      succeeds(await fixture.stack.up());
      fixture.emulator.rotateApiToken();
      await configure();
      fails(await fixture.stack.destroy(), /USER_GROUPS_API_TOKEN.*\[unauthorized\]/);
      assert.deepEqual(groups(), ["acme", "globex"]);
      succeeds(await fixture.stack.destroy(run()));
      assert.deepEqual([groups(), await fixture.stack.resources()], [[], []]);
    });
});

describe("a stack with a Pulumi ESC environment, as docs/security.md describes it", () => {
  const fixture = newFixture(() => ({ program: programOf("acme") }));

  it("fails on a self-managed backend", async () => {
    await fixture.stack.program({ "Pulumi.dev.yaml": "environment:\n  - tenants/production\n" });
    fails(await fixture.stack.up(), /does not support environments/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });
});

function programOf(...ids: string[]): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    for (const userGroupId of ${JSON.stringify(ids)}) new UserGroup(userGroupId, { userGroupId, name: "Tenant" });
  `;
}

import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds, type Result } from "./harness";

const fromConfiguration = { USER_GROUPS_BASE_URL: undefined, USER_GROUPS_API_TOKEN: undefined };

/** The outcome of an operation, and the groups that service and state held after it. */
interface Moment {
  readonly result: Result;
  readonly held: readonly string[];
  readonly recorded: readonly string[];
}

/** The engine gives destroy the configuration of the last update, not today's: the environment is the way out. */
describe("the rotation of the API token", () => {
  const world = newWorld((emulator) => ({
    program: programOf("acme"),
    env: fromConfiguration,
    config: {
      "user-groups:baseUrl": emulator.baseUrl,
      "user-groups:apiToken": { secret: emulator.apiToken },
    },
  }));
  let withFormer: Moment;
  let withToday: Moment;
  let destroyWithToday: Moment;
  let destroyWithEnvironment: Moment;
  before(async () => {
    const { emulator, stack } = world;
    succeeds(await stack.up());
    assert.deepEqual(requestsTo(emulator), ['GET "acme" created 200']);
    await stack.program(programOf("acme", "globex"));
    emulator.rotateApiToken();
    withFormer = await afterwards(await stack.up());
    await configure(emulator.apiToken);
    withToday = await afterwards(await stack.up());
    await configure(emulator.rotateApiToken());
    destroyWithToday = await afterwards(await stack.destroy());
    const env = { USER_GROUPS_API_TOKEN: emulator.apiToken };
    destroyWithEnvironment = await afterwards(await stack.destroy({ env }));
  });

  it("makes up fail with an error that says where to look, and records nothing", () => {
    const error = errorOf(fails(withFormer.result), "globex");
    assert.match(error, /user group "globex".*API token.*user-groups:apiToken.*\[unauthorized\]/);
    assert.deepEqual([withFormer.held, withFormer.recorded], [["acme"], ["acme"]]);
  });

  it("lets up work with today's configuration", () => {
    succeeds(withToday.result);
    assert.deepEqual(
      [withToday.held, withToday.recorded],
      [
        ["acme", "globex"],
        ["acme", "globex"],
      ],
    );
  });

  it("makes destroy fail in spite of today's configuration, since it is given that of the last update", () => {
    const { result, held, recorded } = destroyWithToday;
    fails(result, /user group "(acme|globex)".*USER_GROUPS_API_TOKEN.*\[unauthorized\]/);
    assert.deepEqual(
      [held, recorded],
      [
        ["acme", "globex"],
        ["acme", "globex"],
      ],
    );
  });

  it("lets destroy work with the token in the environment", () => {
    succeeds(destroyWithEnvironment.result);
    assert.deepEqual([destroyWithEnvironment.held, destroyWithEnvironment.recorded], [[], []]);
  });

  async function configure(apiToken: string): Promise<void> {
    const command = ["config", "set", "--secret", "--stack", "dev", "user-groups:apiToken", apiToken];
    succeeds(await world.stack.run(command));
  }

  async function afterwards(result: Result): Promise<Moment> {
    const groups = (await world.stack.resources()).filter(({ type }) => type.endsWith(":UserGroup"));
    const recorded = groups.map(({ name }) => name).sort();
    return { result, held: [...world.emulator.groups.keys()].sort(), recorded };
  }
});

function programOf(...ids: string[]): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    for (const userGroupId of ${JSON.stringify(ids)}) new UserGroup(userGroupId, { userGroupId, name: "Tenant" });
  `;
}

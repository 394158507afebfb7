import assert from "node:assert/strict";
import { passphrase, recordedState, secondService } from "./recordedStates";
import { fails, isSecret, newFixture, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";
import { pluginProgram } from "./pluginProgram";

/** The first version: its state has no address of the service. */
const { program, file, restore } = recordedState("0.1.0");

describe("moving to the plugin from the state that 0.1.0 wrote", () => {
  const dynamicProgram = { "Pulumi.yaml": "name: tests\nruntime: nodejs\n", "index.js": program };
  const fixture = newFixture((emulator) => ({
    program: dynamicProgram,
    env: { PULUMI_CONFIG_PASSPHRASE: passphrase, ...secondService(emulator) },
    secrets: [passphrase],
  }));
  let former: Record<string, string>;
  beforeEach("its groups and its stack", async () => {
    restore(fixture.emulator);
    former = tokensOf(fixture.emulator);
    fixture.emulator.clearRequests();
    succeeds(await fixture.stack.run(["stack", "import", "--stack", "dev", "--file", file]));
  });

  it("fails for a connection whose address isn't recorded, before any request, and says what to do", async () => {
    await fixture.stack.program(movedProgram);
    const { output } = fails(await fixture.stack.preview(), /\[state-invalid\]/);
    assert.match(output, /has the connection "eu".*Run pulumi refresh with the former program/s);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("takes one up for the resources without a connection, sends no request, and changes no token", async () => {
    const { urn } = await fixture.stack.resource("elsewhere");
    succeeds(await fixture.stack.run(["state", "delete", urn, "--yes", "--stack", "dev"]));
    await fixture.stack.program({ ...movedProgram, "index.js": programWith("") });
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual(up.changes, { update: 5, same: 1 });
    assert.deepEqual(requestsTo(fixture.emulator), []);
    const { elsewhere, ...tokens } = former;
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens });
  });

  it("takes one up after a refresh by the package, sends no request, and changes no token", async () => {
    await fixture.stack.program(dynamicProgram);
    succeeds(await fixture.stack.refresh());
    fixture.emulator.clearRequests();
    await fixture.stack.program(movedProgram);
    const up = succeeds(await fixture.stack.up());
    for (const name of names) assert.deepEqual(stepsOf(up, name), ["update"], name);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    assert.deepEqual(tokensOf(fixture.emulator), former);
    assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: former });
    const { outputs } = await fixture.stack.resource("sealed");
    assert(isSecret(outputs["token"]));
    assert.deepEqual(succeeds(await fixture.stack.preview()).changes, { same: names.length + 2 });
  });
});

const names = ["plain", "full", "sealed", "adopted", "elsewhere", "many"];

/** The recorded program with the plugin. `elsewhere` replaces the resource with a connection. */
const programWith = (elsewhere: string) =>
  program
    .replace('require("pulumi-user-groups")', 'require("pulumi-user-groups/plugin")')
    .replace("const { UserGroup,", "const { Provider, UserGroup,")
    .replace('declare("elsewhere", { connection: "eu" });', elsewhere);

const movedProgram = {
  ...pluginProgram(""),
  "index.js": programWith(`
    single.elsewhere = new UserGroup(
      "elsewhere",
      { userGroupId: "elsewhere", name: name("elsewhere") },
      { provider: new Provider("europe", { baseUrl: process.env.USER_GROUPS_EU_BASE_URL }) },
    ).token;
  `),
};

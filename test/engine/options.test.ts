import assert from "node:assert/strict";
import {
  errorOf,
  fails,
  isSecret,
  newWorld,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Result,
} from "./harness";

describe("the resource options", () => {
  const world = newWorld(() => ({ program: original }));
  let formerTokens: Record<string, string>;
  let refused: Result;
  let up: Result;
  before(async () => {
    succeeds(await world.stack.up());
    formerTokens = tokensOf(world.emulator);
    world.emulator.clearRequests();
    await world.stack.program(programOf('{ guarded: ["After", { protect: true }] }'));
    refused = fails(await world.stack.up());
    await world.stack.program(changed);
    up = succeeds(await world.stack.up());
  });

  describe("protect", () => {
    it("refuses a change that would replace the group", () => {
      assert.match(errorOf(refused, "guarded"), /unable to replace .*\n.*protect/);
    });

    it("keeps the group, its token and the record", async () => {
      assert.deepEqual(requestsTo(world.emulator, "guarded"), []);
      assert.equal(tokensOf(world.emulator)["guarded"], formerTokens["guarded"]);
      const { outputs, protect } = await world.stack.resource("guarded");
      assert.deepEqual([outputs["name"], protect], ["Before", true]);
    });
  });

  describe("ignoreChanges", () => {
    it("leaves the group alone, with the ignored change", async () => {
      assert.deepEqual(stepsOf(up, "ignoring"), ["same"]);
      assert.deepEqual(requestsTo(world.emulator, "ignoring"), []);
      assert.equal((await world.stack.resource("ignoring")).outputs["name"], "Before");
    });
  });

  describe("retainOnDelete", () => {
    it("forgets the group, which the service keeps", async () => {
      assert.deepEqual(stepsOf(up, "retained"), ["delete"]);
      assert.deepEqual(requestsTo(world.emulator, "retained"), []);
      assert.equal(tokensOf(world.emulator)["retained"], formerTokens["retained"]);
      const names = (await world.stack.resources()).map(({ name }) => name);
      assert(!names.includes("retained"));
    });
  });

  describe("deleteBeforeReplace: false", () => {
    it("can't turn the order round, which would delete the group just got", () => {
      assert.deepEqual(stepsOf(up, "hurried"), ["delete-replaced", "replace", "create-replacement"]);
      assert.deepEqual(requestsTo(world.emulator, "hurried"), [
        'DELETE "hurried" deleted 200',
        'GET "hurried" created 200',
      ]);
    });
  });

  describe("additionalSecretOutputs", () => {
    it("adds to the token, and doesn't take its place", async () => {
      const { outputs } = await world.stack.resource("discreet");
      assert(isSecret(outputs["token"]));
      assert(isSecret(outputs["name"]));
    });
  });
});

function programOf(groups: string): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const groups = ${groups};
    for (const [id, [name, options]] of Object.entries(groups)) new UserGroup(id, { userGroupId: id, name }, options);
  `;
}

const original = programOf(`{
  guarded: ["Before", { protect: true }],
  ignoring: ["Before", { ignoreChanges: ["name"] }],
  retained: ["Before", { retainOnDelete: true }],
  hurried: ["Before", { deleteBeforeReplace: false }],
  discreet: ["Before", { additionalSecretOutputs: ["name"] }],
}`);

const changed = programOf(`{
  guarded: ["Before", { protect: true }],
  ignoring: ["After", { ignoreChanges: ["name"] }],
  hurried: ["After", { deleteBeforeReplace: false }],
  discreet: ["Before", { additionalSecretOutputs: ["name"] }],
}`);

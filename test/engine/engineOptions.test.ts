import assert from "node:assert/strict";
import {
  errorOf,
  fails,
  isSecret,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Result,
} from "./harness";

describe("the resource options", () => {
  const fixture = newFixture(() => ({ program: original }));
  let formerTokens: Record<string, string>;
  let refused: Result;
  let up: Result;
  before(async () => {
    succeeds(await fixture.stack.up());
    formerTokens = tokensOf(fixture.emulator);
    fixture.emulator.clearRequests();
    await fixture.stack.program(programOf('{ guarded: ["After", { protect: true }] }'));
    refused = fails(await fixture.stack.up());
    await fixture.stack.program(changed);
    up = succeeds(await fixture.stack.up());
  });

  describe("protect", () => {
    it("refuses a change that would replace the group", () => {
      assert.match(errorOf(refused, "guarded"), /unable to replace .*\n.*protect/);
    });

    it("keeps the group, its token and the state", async () => {
      assert.deepEqual(requestsTo(fixture.emulator, "guarded"), []);
      assert.equal(tokensOf(fixture.emulator)["guarded"], formerTokens["guarded"]);
      const { outputs, protect } = await fixture.stack.resource("guarded");
      assert.deepEqual([outputs["name"], protect], ["Before", true]);
    });
  });

  describe("ignoreChanges", () => {
    it("leaves the group alone, with the ignored change", async () => {
      assert.deepEqual(stepsOf(up, "ignoring"), ["same"]);
      assert.deepEqual(requestsTo(fixture.emulator, "ignoring"), []);
      assert.equal((await fixture.stack.resource("ignoring")).outputs["name"], "Before");
    });
  });

  describe("deleteBeforeReplace: false", () => {
    it("can't turn the order round, which would delete the group just got", () => {
      assert.deepEqual(stepsOf(up, "hurried"), ["delete-replaced", "replace", "create-replacement"]);
      assert.deepEqual(requestsTo(fixture.emulator, "hurried"), [
        'DELETE "hurried" deleted 200',
        'GET "hurried" created 200',
      ]);
    });
  });

  describe("additionalSecretOutputs", () => {
    it("adds to the token, and doesn't replace it", async () => {
      const { outputs } = await fixture.stack.resource("discreet");
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
  hurried: ["Before", { deleteBeforeReplace: false }],
  discreet: ["Before", { additionalSecretOutputs: ["name"] }],
}`);

const changed = programOf(`{
  guarded: ["Before", { protect: true }],
  ignoring: ["After", { ignoreChanges: ["name"] }],
  hurried: ["After", { deleteBeforeReplace: false }],
  discreet: ["Before", { additionalSecretOutputs: ["name"] }],
}`);

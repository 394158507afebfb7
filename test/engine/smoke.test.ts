import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { isSecret, newStack, succeeds, type Stack } from "./harness";

describe("the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  beforeEach(async () => {
    emulator = await startEmulator();
    stack = await newStack({ emulator, program: twoGroups });
  });
  afterEach(async () => {
    await stack.remove();
    await emulator.stop();
  });

  it("creates two groups, leaves them alone when nothing changed, and deletes them", async () => {
    const created = succeeds(await stack.up());
    assert.deepEqual(created.changes, { create: 3 });
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);

    const { id, outputs } = await stack.resource("acme");
    assert.equal(id, "acme");
    assert(isSecret(outputs["token"]));
    assert.deepEqual(await stack.plainOutputs(), { token: emulator.groups.get("acme")?.token });

    const requests = emulator.requests.length;
    const again = succeeds(await stack.up());
    assert.deepEqual(again.changes, { same: 3 });
    assert.equal(emulator.requests.length, requests);

    const destroyed = succeeds(await stack.destroy());
    assert.deepEqual(destroyed.changes, { delete: 3 });
    assert.equal(emulator.groups.size, 0);
    assert.deepEqual(await stack.resources(), []);
  });
});

const twoGroups = `
  const { UserGroup } = require("pulumi-user-groups");
  const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
  new UserGroup("globex", { userGroupId: "globex", name: "Globex" });
  exports.token = acme.token;
`;

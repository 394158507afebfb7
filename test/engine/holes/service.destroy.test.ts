import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";

/** One stack through its life: each step begins where the one before it ended. */
describe("a destroy of UserGroups in which one deletion is refused", () => {
  const world = newWorld(() => ({ program }));
  before(async () => {
    succeeds(await world.stack.up());
  });
  const failToDestroy = async () => {
    world.emulator.fault({ kind: "refuse", userGroupId: "kept", method: "DELETE" });
    const error = errorOf(fails(await world.stack.destroy()), "tenants");
    assert.deepEqual([...world.emulator.groups.keys()], ["kept"]);
    world.emulator.clearRequests();
    return error;
  };

  it("says that another destroy or a refresh helps, and that up sees no difference", async () => {
    const error = await failToDestroy();
    assert.match(error, /\bpulumi destroy\b/);
    assert.match(error, /\bpulumi refresh\b/);
    assert.match(error, /\bup\b[^.]*\bno difference\b/);
  });

  it("is not seen by up", async () => {
    assert.deepEqual(stepsOf(succeeds(await world.stack.up()), "tenants"), ["same"]);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("is undone by a refresh, which creates the deleted groups again", async () => {
    succeeds(await world.stack.refresh());
    assert.deepEqual([...world.emulator.groups.keys()].sort(), ["first", "kept", "second"]);
    assert.deepEqual(stepsOf(succeeds(await world.stack.up()), "tenants"), ["same"]);
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  it("is completed by another destroy", async () => {
    await failToDestroy();
    succeeds(await world.stack.destroy());
    assert.equal(world.emulator.groups.size, 0);
    assert.deepEqual(await world.stack.resources(), []);
  });
});

const program = `
  const { UserGroups } = require("pulumi-user-groups");
  const groups = { first: { name: "First" }, kept: { name: "Kept" }, second: { name: "Second" } };
  exports.tokens = new UserGroups("tenants", { groups }).tokens;
`;

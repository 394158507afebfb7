import assert from "node:assert/strict";
import { newWorld, requestsTo, stepsOf, succeeds, tokensOf } from "../harness";
import { changedField } from "../../harness/responseFaults";

/** One stack through its life: each step begins where the one before it ended. */
describe("groups that the service shows with an empty name", () => {
  const world = newWorld((emulator) => {
    for (const userGroupId of ["acme", "one"]) {
      const fault = changedField("user_group.name", "");
      emulator.fault({ ...fault, method: "GET", userGroupId, times: Infinity });
    }
    return { program: programOf({ one: "One", two: "Two" }) };
  });
  const run = async (command: "up" | "refresh" | "destroy") => {
    world.emulator.clearRequests();
    return succeeds(await world.stack[command]());
  };

  it("are created and recorded", async () => {
    await run("up");
    assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
  });

  it("are settled", async () => {
    const up = await run("up");
    assert.deepEqual([stepsOf(up, "acme"), stepsOf(up, "tenants")], [["same"], ["same"]]);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("can be refreshed, which plans no change", async () => {
    await run("refresh");
    const preview = succeeds(await world.stack.preview());
    assert.deepEqual([stepsOf(preview, "acme"), stepsOf(preview, "tenants")], [["same"], ["same"]]);
  });

  it("can be updated", async () => {
    await world.stack.program(programOf({ one: "One", two: "Two", three: "Three" }));
    await run("up");
    assert.deepEqual(requestsTo(world.emulator), ['GET "three" created 200']);
  });

  it("can be destroyed", async () => {
    await run("destroy");
    assert.equal(world.emulator.groups.size, 0);
    assert.deepEqual(await world.stack.resources(), []);
  });
});

function programOf(names: Record<string, string>): string {
  return `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
    const names = ${JSON.stringify(names)};
    const groups = Object.fromEntries(Object.entries(names).map(([id, name]) => [id, { name }]));
    const tenants = new UserGroups("tenants", { groups });
    exports.tokens = tenants.tokens.apply((tokens) => acme.token.apply((token) => ({ ...tokens, acme: token })));
  `;
}

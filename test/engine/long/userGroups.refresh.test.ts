import assert from "node:assert/strict";
import { fails, newWorld, requestsTo, succeeds, warningsOf, type Result } from "../harness";

describe("UserGroups, refreshed where more has changed outside than deletionLimit allows to undo", () => {
  const world = newWorld(() => ({ program }));
  let refreshed: Result;
  before(async () => {
    succeeds(await world.stack.up());
    world.emulator.renameGroup("acme", "theirs");
    world.emulator.clearRequests();
    refreshed = succeeds(await world.stack.refresh());
  });

  it("records what the service shows, and forecasts nothing that a refresh doesn't do", async () => {
    const { outputs } = await world.stack.resource("tenants");
    assert.deepEqual(outputs["groups"], { acme: { name: "theirs" }, globex: { name: "Globex" } });
    assert.deepEqual(requestsTo(world.emulator).sort(), [
      'GET "acme" returned 200',
      'GET "globex" returned 200',
    ]);
    assert.deepEqual(warningsOf(refreshed), []);
  });

  it("refuses to undo it, in the preview", async () => {
    fails(await world.stack.preview(), /\[deletion-limit\]/);
  });
});

const program = `
  const { UserGroups } = require("pulumi-user-groups");
  new UserGroups("tenants", {
    groups: { acme: { name: "Acme" }, globex: { name: "Globex" } },
    deletionLimit: 0,
  });
`;

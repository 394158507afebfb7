import assert from "node:assert/strict";
import { errorOf, fails, newWorld, requestsTo, succeeds, tokensOf } from "../harness";

const ids = Array.from({ length: 32 }, (_, index) => `tenant-${index}`);

/** All 32 take 10 s, one after the other, which is longer than one operation may take. */
const slow = { latency: 300 };
const env = { USER_GROUPS_TIMEOUT: "6", USER_GROUPS_MAX_CONNECTIONS: "1" };

describe("a group that waits for a connection", () => {
  const world = newWorld(() => ({ program: programOf({}), env }), slow);

  it("neither times out nor uses up an attempt", async () => {
    succeeds(await world.stack.up());
    assert.deepEqual(requestsTo(world.emulator).sort(), ids.map((id) => `GET "${id}" created 200`).sort());
    assert.equal(world.emulator.peakConnections, 1);
    assert.deepEqual((await world.stack.plainOutputs())["tokens"], tokensOf(world.emulator));
  });
});

describe("a group that waits for a connection, with adopt: false", () => {
  const world = newWorld((emulator) => {
    for (const userGroupId of ids) emulator.putGroup({ userGroupId, name: "Tenant" });
    return { program: programOf({ adopt: false }), env };
  }, slow);

  it("is refused if it exists, and not recorded as created", async () => {
    const up = fails(await world.stack.up({ flags: ["--continue-on-error"] }));
    const others = ids.filter((id) => !errorOf(up, id).includes("[adoption-refused]"));
    assert.deepEqual(others, []);
    assert.deepEqual(requestsTo(world.emulator).sort(), ids.map((id) => `GET "${id}" returned 200`).sort());
    const recorded = (await world.stack.resources()).map(({ name }) => name);
    assert.deepEqual(
      recorded.filter((name) => ids.includes(name)),
      [],
    );
  });
});

function programOf(args: object): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const tokens = {};
    for (const id of ${JSON.stringify(ids)})
      tokens[id] = new UserGroup(id, { userGroupId: id, name: "Tenant", ...${JSON.stringify(args)} }).token;
    exports.tokens = tokens;
  `;
}

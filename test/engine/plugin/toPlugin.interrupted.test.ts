import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import {
  canKill,
  ProcessKiller,
  newStack,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Stack,
} from "../harness";
import { pluginProgram } from "./pluginProgram";

/** One resource after the other, so that the kill comes while half of them have moved. */
const program = (ids: readonly string[]) => `
  let last = new UserGroups("tenants", { groups: { one: { name: "One" }, two: { name: "Two" } } });
  exports.tokens = { one: last.tokens.apply(({ one }) => one), two: last.tokens.apply(({ two }) => two) };
  for (const id of ${JSON.stringify(ids)}) {
    last = new UserGroup(id, { userGroupId: id, name: "Group" }, { dependsOn: [last] });
    exports.tokens[id] = last.token;
  }
`;

const dynamicProgram = {
  "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
  "index.js": `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    ${program(["a", "b"])}
  `,
};

describe("moving to the plugin", () => {
  const killer = new ProcessKiller();
  const ends: (() => Promise<void>)[] = [];
  let emulator: Emulator;
  let stack: Stack;
  let former: Record<string, string>;
  beforeEach(async () => {
    emulator = await startEmulator({
      log: () => {
        killer.onRequest();
      },
    });
    ends.push(() => emulator.stop());
    stack = await newStack({ emulator, env: killer.env, program: dynamicProgram });
    ends.unshift(() => stack.remove());
    succeeds(await stack.up());
    former = tokensOf(emulator);
    emulator.clearRequests();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const providersOf = async () => {
    const types = (await stack.resources())
      .map(({ type }) => type)
      .filter((type) => /UserGroups?$/.test(type));
    return types.map((type) => (type.startsWith("user-groups:") ? "plugin" : "package"));
  };

  it("with --refresh reads each group once, and changes no token", async () => {
    await stack.program(pluginProgram(program(["a", "b"])));
    succeeds(await stack.up({ flags: ["--refresh"] }));
    const reads = ["a", "b", "one", "two"].map((id) => `GET "${id}" returned 200`);
    assert.deepEqual(requestsTo(emulator).sort(), reads);
    assert.deepEqual(await stack.plainOutputs(), { tokens: former });
    assert.deepEqual(await providersOf(), ["plugin", "plugin", "plugin"]);
  });

  if (canKill)
    it("goes on with the next up after a kill, and no group is lost", async () => {
      // The creation of another group, between the two that move, is the moment.
      await stack.program(pluginProgram(program(["a", "new", "b"])));
      const { code } = await killer.during({ requests: 1 }, () => stack.up());
      assert.equal(code, null);
      await stack.recover();
      assert.deepEqual((await providersOf()).sort(), ["package", "plugin", "plugin"]);

      const up = succeeds(await stack.up());
      assert.deepEqual(
        ["tenants", "a", "b"].map((name) => stepsOf(up, name)),
        [["same"], ["same"], ["update"]],
      );
      assert.deepEqual(requestsTo(emulator), ['GET "new" created 200', 'GET "new" returned 200']);
      const { new: added, ...tokens } = tokensOf(emulator);
      assert.deepEqual(tokens, former);
      assert.deepEqual(await stack.plainOutputs(), { tokens: { ...former, new: added } });
      assert.deepEqual(await providersOf(), ["plugin", "plugin", "plugin", "plugin"]);
    });
});

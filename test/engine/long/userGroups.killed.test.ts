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

describe("UserGroups, killed in the middle of an update", () => {
  const killer = new ProcessKiller();
  const ends: (() => Promise<void>)[] = [];
  let emulator: Emulator;
  let stack: Stack;
  before(async function () {
    if (!canKill) return this.skip();
    emulator = await startEmulator({
      log: () => {
        killer.onRequest();
      },
    });
    ends.push(() => emulator.stop());
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "4" };
    stack = await newStack({ emulator, env, program: programOf("Tenant", 40) });
    ends.unshift(() => stack.remove());
  });
  after(async () => {
    for (const end of ends) await end();
  });
  const killed = async () => {
    const { code } = await killer.during({ requests: 30 }, () => stack.up());
    assert.equal(code, null);
    await stack.recover();
  };
  const assertConverged = async (name: string, count: number) => {
    succeeds(await stack.up());
    assert.deepEqual([...emulator.groups.keys()].sort(), idsOf(count));
    assert([...emulator.groups.values()].every((group) => group.name === name));
    assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
  };

  it("has created all groups after the next up, with the tokens that they have", async () => {
    await killed();
    assert(emulator.groups.size > 0 && emulator.groups.size < 40);
    await assertConverged("Tenant", 40);
  });

  it("has changed and deleted all groups after the next up, with the tokens that they have", async () => {
    await stack.program(programOf("Renamed", 20));
    await killed();
    const names = new Set([...emulator.groups.values()].map(({ name }) => name));
    assert(names.has("Tenant"));
    await assertConverged("Renamed", 20);
  });

  it("keeps every token where it is replaced on demand, since it is created before it is deleted", async () => {
    const former = tokensOf(emulator);
    const { urn } = await stack.resource("tenants");
    emulator.clearRequests();
    const replaced = succeeds(await stack.up({ flags: ["--replace", urn] }));
    assert.deepEqual(stepsOf(replaced, "tenants"), ["create-replacement", "replace", "delete-replaced"]);
    assert(requestsTo(emulator).every((request) => /^GET ".*" returned 200$/.test(request)));
    assert.deepEqual(tokensOf(emulator), former);
    assert.deepEqual(await stack.plainOutputs(), { tokens: former });
  });
});

function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `t${n}`).sort();
}

function programOf(name: string, count: number): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const ids = ${JSON.stringify(idsOf(count))};
    const groups = Object.fromEntries(ids.map((id) => [id, { name: "${name}" }]));
    exports.tokens = new UserGroups("tenants", { groups }).tokens;
  `;
}

import assert from "node:assert/strict";
import { shardOf } from "../../examples/shards/sharding";
import { canKill, ProcessKiller, fails, succeeds, tokensOf } from "../engine/harness";
import type { RequestLogEntry } from "../../provider/src/testing";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const two = ["shard-1", "shard-2"];
const three = [...two, "shard-3"];
const customers = customersUpTo(30);

describe("examples/shards, where a shard is added while the service refuses", () => {
  const moving = customers.filter((customer) => shardOf(customer, three) === "shard-3");
  let deployment: ShardedDeployment;
  let former: Record<string, string>;
  before(async () => {
    deployment = await ShardedDeployment.create({ customers, shards: two });
    succeeds(await deployment.deploy());
    former = tokensOf(deployment.emulator);
    await deployment.list({ shards: three });
    deployment.emulator.fault({ kind: "refuse", times: Infinity });
    fails(await deployment.deploy(), /^\[shard-3\] .*service-refused/m);
    deployment.emulator.clearFaults();
  });
  after(() => deployment.remove());

  it("keeps every customer in the state of a shard", async () => {
    const recorded = await Promise.all(three.map((shard) => deployment.recorded(shard)));
    assert.deepEqual(recorded.flat().sort(), customers.map(({ id }) => id).sort());
  });

  it("refuses to remove a customer who is still to move, so that nobody is forgotten", async () => {
    await deployment.list({ customers: customers.filter((customer) => customer !== moving[0]) });
    fails(await deployment.deploy(), /Customers move to another shard while others have left \(tenant-\d+\)/);
  });

  it("moves them in the next run, with their tokens", async () => {
    await deployment.list({ customers });
    succeeds(await deployment.deploy());
    await deployment.assertSpread();
    assert.deepEqual(tokensOf(deployment.emulator), former);
  });
});

describe("examples/shards, killed in the middle", () => {
  const killer = new ProcessKiller();
  let deployment: ShardedDeployment;
  before(async function () {
    if (!canKill) return this.skip();
    const done: Record<string, number> = {};
    const log = ({ userGroupId = "" }: RequestLogEntry) => {
      const shard = shardOf({ id: userGroupId }, two);
      const count = (done[shard] = (done[shard] ?? 0) + 1);
      if (count === 4) killer.onRequest();
    };
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "1" };
    deployment = await ShardedDeployment.create({ customers, shards: two }, { env, log, latency: 500 });
  });
  after(() => deployment.remove());

  it("shows why the next run fails, and the command that unlocks the stacks", async () => {
    const { code } = await killer.during({ requests: two.length }, () => deployment.deploy());
    assert.equal(code, null);
    deployment.emulator.configure({ latency: 0 });
    const { output } = fails(await deployment.deploy());
    for (const shard of two) {
      assert.match(output, new RegExp(`^\\[${shard}\\] .*the stack is currently locked by 1 lock`, "m"));
      assert.match(output, new RegExp(`^\\[${shard}\\] .*npx pulumi cancel --yes --stack ${shard}$`, "m"));
    }
    assert.doesNotMatch(output, /the next run does the rest/);
  });

  it("does the rest once they are unlocked, with the tokens that the groups have", async () => {
    const former = Object.entries(tokensOf(deployment.emulator));
    assert(former.length < customers.length);
    await deployment.project.removeEmptyAttributes();
    for (const shard of two) succeeds(await deployment.pulumi("cancel", "--yes", "--stack", shard));
    succeeds(await deployment.deploy());
    await deployment.assertSpread();
    const tokens = tokensOf(deployment.emulator);
    for (const [id, token] of former) assert.equal(tokens[id], token, id);
  });
});

/** examples/shards on the real engine. test/unit/examples has what it decides. */
import assert from "node:assert/strict";
import { shardOf } from "../../examples/shards/sharding";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { canKill, fails, ProcessKiller, succeeds, tokensOf } from "../engine/harness";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const three = ["shard-1", "shard-2", "shard-3"];
const four = [...three, "shard-4"];
const customers = customersUpTo(20);
const ids = customers.map(({ id }) => id);

describe("examples/shards", () => {
  let emulator: Emulator;
  let deployment: ShardedDeployment;
  let former: Record<string, string>;
  before(async () => {
    emulator = await startEmulator();
    deployment = await ShardedDeployment.start(emulator, { customers, shards: three });
  });
  after(async () => {
    await deployment.stack.remove();
    await emulator.stop();
  });
  const assertUntouched = () => {
    assert.deepEqual(deployment.takeRequests(), []);
    assert.deepEqual(tokensOf(emulator), former);
  };

  it("spreads the customers, and refuses an empty list, and more removals in all shards than the limit", async () => {
    succeeds(await deployment.run("deploy"));
    assert.equal(deployment.takeRequests().length, customers.length);
    await deployment.assertSpread();
    former = tokensOf(emulator);
    await deployment.list({ customers: [] });
    fails(await deployment.run("deploy"), /customers\.json or shards\.json: .*Too small/);
    // One of each shard: no shard's own limit would refuse it.
    const one = three.map((shard) => ids.find((id) => shardOf({ id }, three) === shard) ?? assert.fail());
    await deployment.list({ customers: customers.filter(({ id }) => !one.includes(id)) });
    const refusal = /than the deletionLimit of 2 \(tenant-\d+, tenant-\d+, tenant-\d+\)/;
    for (const script of ["preview", "deploy"] as const) fails(await deployment.run(script), refusal);
    await deployment.list({ customers });
    assertUntouched();
  });

  it("moves only who must move to a shard that is added, which comes first", async () => {
    await deployment.list({ shards: four });
    const { stdout } = succeeds(await deployment.run("stages"));
    assert.match(stdout, /^first=\["shard-4"(,"shard-\d")*\]\nthen=\["shard-1"(,"shard-\d")*\]$/m);
    fails(await deployment.run("deploy", "shard-1"), /shard-1 must wait: first deploy the shards/);
    assertUntouched();
    succeeds(await deployment.run("deploy"));
    const moving = ids.filter((id) => shardOf({ id }, four) === "shard-4");
    assert.deepEqual(deployment.takeRequests(), moving.map((id) => `GET ${id} returned`).sort());
    await deployment.assertSpread();
  });

  it("deletes no customer with a job that is started again after its customers have moved", async () => {
    const newer = await deployment.otherMachine();
    await newer.list({ shards: three, retired: ["shard-4"] });
    succeeds(await newer.run("deploy"));
    await newer.stack.remove();
    deployment.takeRequests();
    fails(await deployment.run("deploy", "shard-1"), /shard-1 must wait/);
    assertUntouched();
  });

  it("removes the stack of a retired shard without a request, and only once it is empty", async () => {
    succeeds(await deployment.run("deploy"));
    await deployment.list({ shards: three, retired: ["shard-4"] });
    deployment.takeRequests();
    const destroy = ["destroy", "--yes", "--skip-preview", "--stack", "shard-4"];
    fails(await deployment.stack.run(destroy), /protected/);
    for (const shard of ["shard-4", "shard-1"])
      fails(await deployment.run("remove", shard), /Not empty, or not retired: shard-/);
    assertUntouched();
    succeeds(await deployment.run("deploy"));
    deployment.takeRequests();
    succeeds(await deployment.run("remove", "shard-4"));
    await deployment.list({ retired: [] });
    assertUntouched();
    await deployment.assertSpread();
  });

  it("shows that the group of a customer who has left is deleted, and deletes it; Pulumi alone does neither", async () => {
    await deployment.list({ customers: customers.slice(1) });
    assert.match(succeeds(await deployment.run("preview")).output, /1 to delete \("tenant-0"\)/);
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const stack = shardOf({ id: "tenant-0" }, three);
      const { output } = await deployment.stack.run([...command, "--stack", stack]);
      assert.match(output, /Use npm run preview and npm run deploy/);
    }
    assertUntouched();
    succeeds(await deployment.run("deploy"));
    assert.deepEqual(deployment.takeRequests(), ["DELETE tenant-0 deleted"]);
    await deployment.assertSpread();
  });
});

(canKill ? describe : describe.skip)("examples/shards, where an update was killed", () => {
  const shards = ["shard-1", "shard-2"];
  /** The customers of one shard have other names. */
  const renamedIn = (renamed: string) =>
    customers.map(({ id, name }) => ({
      id,
      name: shardOf({ id }, shards) === renamed ? `New ${name}` : name,
    }));
  const killer = new ProcessKiller();
  let emulator: Emulator;
  let deployment: ShardedDeployment;
  before(async () => {
    emulator = await startEmulator({
      log: () => {
        killer.onRequest();
      },
    });
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "1" };
    const lists = { customers, shards, deletionLimit: 20 };
    deployment = await ShardedDeployment.start(emulator, lists, env);
    succeeds(await deployment.run("deploy"));
  });
  after(async () => {
    await deployment.stack.remove();
    await emulator.stop();
  });

  it("refuses only its shard, until npm run refresh has made its state exact", async () => {
    await deployment.list({ customers: renamedIn("shard-1") });
    const killed = await killer.during({ requests: 8 }, () => deployment.run("deploy"));
    assert.equal(killed.code, null, killed.output);
    await deployment.stack.project.removeEmptyAttributes();
    await deployment.stack.run(["cancel", "--yes", "--stack", "shard-1"]);
    const corrected = renamedIn("shard-2");
    await deployment.list({ customers: corrected });
    deployment.takeRequests();
    const refusal = /^shard-1: first run npm run refresh -- shard-1, /m;
    fails(await deployment.run("deploy"), refusal, /Failed: shard-1\./);
    for (const { userGroupId = "" } of emulator.requests)
      assert.equal(shardOf({ id: userGroupId }, shards), "shard-2");
    succeeds(await deployment.run("refresh", "shard-1"));
    succeeds(await deployment.run("deploy"));
    const names = [...emulator.groups.values()].map(({ name }) => name);
    assert.deepEqual(names.sort(), corrected.map(({ name }) => name).sort());
    await deployment.assertSpread();
  });
});

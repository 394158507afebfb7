import assert from "node:assert/strict";
import { shardOf } from "../../examples/shards/sharding";
import { succeeds, tokensOf } from "../engine/harness";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const three = ["shard-1", "shard-2", "shard-3"];
const four = [...three, "shard-4"];
const customers = customersUpTo(60);

describe("examples/shards", () => {
  let deployment: ShardedDeployment;
  let former: Record<string, string>;
  before(async () => {
    deployment = await ShardedDeployment.create({ customers, shards: three });
  });
  after(() => deployment.remove());

  it("spreads the customers over the shards, and says of each when it is done", async () => {
    const { output } = succeeds(await deployment.deploy());
    assert.equal(deployment.takeRequests().length, 60);
    await deployment.assertSpread();
    for (const shard of three) assert.match(output, new RegExp(`^\\[${shard}\\] done after \\d+ s$`, "m"));
    former = tokensOf(deployment.emulator);
  });

  it("moves only who must move when a shard is added, deletes nobody and keeps every token", async () => {
    await deployment.list({ shards: four });
    const { output } = succeeds(await deployment.deploy());
    const moved = customers.map(({ id }) => id).filter((id) => shardOf({ id }, four) === "shard-4");
    assert.deepEqual(deployment.takeRequests(), moved.map((id) => `GET ${id} returned`).sort());
    assert.deepEqual(tokensOf(deployment.emulator), former);
    await deployment.assertSpread();
    assert.match(output, /^\[shard-4\] .*existed before and are adopted/m);
  });

  it("moves the customers of a shard that retires, and then no longer brings it up", async () => {
    await deployment.list({ shards: three, retired: ["shard-4"] });
    succeeds(await deployment.deploy());
    await deployment.assertSpread();
    assert.deepEqual(tokensOf(deployment.emulator), former);
    assert.doesNotMatch(succeeds(await deployment.deploy()).output, /shard-4/);
  });

  it("deletes the group of a customer who has left", async () => {
    deployment.takeRequests();
    await deployment.list({ customers: customers.slice(1) });
    succeeds(await deployment.deploy());
    assert.deepEqual(deployment.takeRequests(), ["DELETE tenant-0 deleted"]);
    await deployment.assertSpread();
  });
});

describe("examples/shards, brought up by pulumi up itself", () => {
  let deployment: ShardedDeployment;
  before(async () => {
    deployment = await ShardedDeployment.create({ customers, shards: three });
  });
  after(() => deployment.remove());

  it("can be previewed, and refuses the update", async () => {
    succeeds(await deployment.pulumi("stack", "init", "shard-1"));
    succeeds(await deployment.pulumi("preview", "--stack", "shard-1"));
    const { code, output } = await deployment.pulumi("up", "--yes", "--skip-preview", "--stack", "shard-1");
    assert.notEqual(code, 0);
    assert.match(output, /Deploy the shards with npm run deploy/);
    assert.deepEqual(deployment.takeRequests(), []);
  });
});

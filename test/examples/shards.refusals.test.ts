import assert from "node:assert/strict";
import { fails, succeeds } from "../engine/harness";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const customers = customersUpTo(20);

describe("examples/shards refuses, before any request,", () => {
  let deployment: ShardedDeployment;
  before(async () => {
    deployment = await ShardedDeployment.create({ customers, shards: ["shard-1", "shard-2"] });
  });
  after(() => deployment.remove());
  const assertRefused = async (pattern: RegExp) => {
    fails(await deployment.deploy(), pattern);
    assert.deepEqual(deployment.takeRequests(), []);
  };

  it("a customer who is listed twice", async () => {
    await deployment.list({ customers: [...customers, { id: "tenant-7", name: "Somebody else" }] });
    await assertRefused(/tenant-7.*listed twice/s);
    await deployment.list({ customers });
  });

  it("the full name of a stack", async () => {
    await deployment.list({ shards: ["organization/shards/shard-1", "shard-2"] });
    await assertRefused(/organization\/shards\/shard-1.*a stack's name alone/s);
  });
});

describe("examples/shards, deployed from a checkout with other shards and other customers", () => {
  const staging = { shards: ["staging-1"], customers: [{ id: "trial", name: "Trial" }] };
  const production = { shards: ["shard-1", "shard-2"], customers: customersUpTo(2) };
  let deployment: ShardedDeployment;
  before(async () => {
    deployment = await ShardedDeployment.create(production);
    succeeds(await deployment.deploy());
    deployment.takeRequests();
  });
  after(() => deployment.remove());

  it("refuses, since somebody else's stacks hold customers", async () => {
    await deployment.list(staging);
    fails(await deployment.deploy(), /not in shards\.json hold customers: shard-1, shard-2\./);
    assert.deepEqual(deployment.takeRequests(), []);
  });

  it("touches nobody else's stacks where its project has another name", async () => {
    await deployment.rename("staging");
    succeeds(await deployment.deploy());
    assert.deepEqual(deployment.takeRequests(), ["GET trial created"]);
    assert.deepEqual(await deployment.recorded("staging-1"), ["trial"]);
    deployment.emulator.removeGroup("trial");
    await deployment.rename("shards");
    await deployment.list(production);
    await deployment.assertSpread();
  });
});

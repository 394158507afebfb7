/** examples/shards on the real engine. test/unit/examples has what it decides. */
import assert from "node:assert/strict";
import { shardOf } from "../../examples/shards/sharding";
import { canKill, fails, ProcessKiller, succeeds, tokensOf } from "../engine/harness";
import type { RequestLogEntry } from "../../provider/src/testing";
import { example } from "./example";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const three = ["shard-1", "shard-2", "shard-3"];
const four = [...three, "shard-4"];
const customers = customersUpTo(20);
const ids = customers.map(({ id }) => id);

it("examples/shards takes its settings from where examples/pipeline takes them, each job in the environment", () => {
  const deploy = example("shards")[".github/workflows/deploy.yml"] ?? "";
  const settings = (text = "") => new Set(text.match(/\$\{\{ (secrets|vars)\.\w+ \}\}/g));
  assert.deepEqual(settings(deploy), settings(example("pipeline")[".github/workflows/drift.yml"]));
  const count = (text: string) => deploy.split(text).length - 1;
  assert.equal(count("runs-on: "), count("environment: production"));
});

describe("examples/shards", () => {
  let deployment: ShardedDeployment;
  let former: Record<string, string>;
  before(async () => {
    deployment = await ShardedDeployment.create({ customers, shards: three });
  });
  after(() => deployment.remove());
  const assertUntouched = () => {
    assert.deepEqual(deployment.takeRequests(), []);
    assert.deepEqual(tokensOf(deployment.emulator), former);
  };

  it("spreads the customers, and refuses an empty list, and more removals in all shards than the limit", async () => {
    succeeds(await deployment.deploy());
    assert.equal(deployment.takeRequests().length, customers.length);
    await deployment.assertSpread();
    former = tokensOf(deployment.emulator);
    await deployment.list({ customers: [] });
    fails(await deployment.deploy(), /customers\.json or shards\.json: .*Too small/);
    // One of each shard: no shard's own limit would refuse it.
    const one = three.map((shard) => ids.find((id) => shardOf({ id }, three) === shard) ?? assert.fail());
    await deployment.list({ customers: customers.filter(({ id }) => !one.includes(id)) });
    const refusal = /than the deletionLimit of 2 \(tenant-\d+, tenant-\d+, tenant-\d+\)/;
    for (const script of ["preview", "deploy"] as const) fails(await deployment.npmRun(script), refusal);
    await deployment.list({ customers });
    assertUntouched();
  });

  it("moves only who must move to a shard that is added, which comes first", async () => {
    await deployment.list({ shards: four });
    const { stdout } = succeeds(await deployment.npmRun("stages"));
    assert.match(stdout, /^first=\["shard-4"(,"shard-\d")*\]\nthen=\["shard-1"(,"shard-\d")*\]$/m);
    fails(await deployment.deploy("shard-1"), /shard-1 must wait: first deploy the shards/);
    assertUntouched();
    succeeds(await deployment.deploy());
    const moving = ids.filter((id) => shardOf({ id }, four) === "shard-4");
    assert.deepEqual(deployment.takeRequests(), moving.map((id) => `GET ${id} returned`).sort());
    assertUntouched();
    await deployment.assertSpread();
  });

  it("deletes no customer with a job that is started again after its customers have moved", async () => {
    const newer = await deployment.otherMachine();
    await newer.list({ shards: three, retired: ["shard-4"] });
    succeeds(await newer.deploy());
    await newer.removeCheckout();
    deployment.takeRequests();
    for (const shard of ["shard-1", "shard-2"])
      fails(await deployment.deploy(shard), new RegExp(`${shard} must wait`));
    assertUntouched();
  });

  it("removes the stack of a retired shard without a request, and only once it is empty", async () => {
    succeeds(await deployment.deploy());
    await deployment.list({ shards: three, retired: ["shard-4"] });
    deployment.takeRequests();
    fails(await deployment.pulumi("destroy", "--yes", "--skip-preview", "--stack", "shard-4"), /protected/);
    for (const shard of ["shard-4", "shard-1"])
      fails(await deployment.npmRun("remove", shard), new RegExp(`Not empty, or not retired: ${shard}`));
    assertUntouched();
    succeeds(await deployment.deploy());
    deployment.takeRequests();
    succeeds(await deployment.npmRun("remove", "shard-4"));
    await deployment.list({ retired: [] });
    assertUntouched();
    await deployment.assertSpread();
  });

  it("shows that the group of a customer who has left is deleted, and deletes it; Pulumi alone does neither", async () => {
    await deployment.list({ customers: customers.slice(1) });
    assert.match(succeeds(await deployment.npmRun("preview")).output, /1 to delete \("tenant-0"\)/);
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { output } = await deployment.pulumi(...command, "--stack", shardOf({ id: "tenant-0" }, three));
      assert.match(output, /Use npm run preview and npm run deploy/);
    }
    assertUntouched();
    succeeds(await deployment.deploy());
    assert.deepEqual(deployment.takeRequests(), ["DELETE tenant-0 deleted"]);
    await deployment.assertSpread();
  });
});

describe("examples/shards, where an update was killed", () => {
  const shards = ["shard-1", "shard-2"];
  const renamed = (isRenamed: (shard: string) => boolean) =>
    customers.map(({ id, name }) => ({
      id,
      name: isRenamed(shardOf({ id }, shards)) ? `New ${name}` : name,
    }));
  const killer = new ProcessKiller();
  let deployment: ShardedDeployment;
  let isWrong = false;
  before(async function () {
    if (!canKill) return this.skip();
    const log = ({ effect }: RequestLogEntry) => {
      if (isWrong && effect === "created") killer.onRequest();
    };
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "1" };
    const lists = { customers, shards, deletionLimit: 20 };
    deployment = await ShardedDeployment.create(lists, { env, log });
    succeeds(await deployment.deploy());
  });
  after(() => deployment.remove());

  it("refuses only its shard, until npm run refresh has made its state exact", async () => {
    await deployment.list({ customers: renamed((shard) => shard === "shard-1") });
    isWrong = true;
    assert.equal((await killer.during({ requests: 4 }, () => deployment.deploy())).code, null);
    isWrong = false;
    await deployment.stack.project.removeEmptyAttributes();
    await deployment.pulumi("cancel", "--yes", "--stack", "shard-1");
    const corrected = renamed((shard) => shard === "shard-2");
    await deployment.list({ customers: corrected });
    deployment.takeRequests();
    const refusal = /^shard-1: first run npm run refresh -- shard-1, /m;
    fails(await deployment.deploy(), refusal, /Failed: shard-1\./);
    for (const request of deployment.takeRequests()) {
      const [, id = ""] = request.split(" ");
      assert.equal(shardOf({ id }, shards), "shard-2");
    }
    succeeds(await deployment.npmRun("refresh", "shard-1"));
    succeeds(await deployment.deploy());
    const names = [...deployment.emulator.groups.values()].map(({ name }) => name);
    assert.deepEqual(names.sort(), corrected.map(({ name }) => name).sort());
    await deployment.assertSpread();
  });
});

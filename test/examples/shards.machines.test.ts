import assert from "node:assert/strict";
import { fails, succeeds, tokensOf } from "../engine/harness";
import { startDatabase, type Database } from "./database";
import { customersUpTo, ShardedDeployment } from "./shardedDeployment";

const shards = ["shard-1", "shard-2", "shard-3"];
const customers = customersUpTo(30);

describe("examples/shards, on two machines with the states in PostgreSQL", () => {
  const ends: (() => Promise<void>)[] = [];
  let database: Database;
  let here: ShardedDeployment;
  let there: ShardedDeployment;
  let former: Record<string, string>;
  before(async () => {
    database = await startDatabase();
    ends.push(() => database.stop());
    const env = { PULUMI_BACKEND_URL: database.url };
    here = await ShardedDeployment.create({ customers, shards }, { env });
    ends.unshift(() => here.remove());
    there = await here.otherMachine();
    ends.unshift(() => there.removeCheckout());
  });
  after(async () => {
    for (const end of ends) await end();
  });
  const plan = async () => {
    const launched = succeeds(await here.deploy("--plan"));
    await there.usePlanOf(here);
    return launched;
  };
  const list = (lists: { readonly shards: readonly string[] }) =>
    Promise.all([here.list(lists), there.list(lists)]);

  it("bring up their shares at once, as one of them has decided", async () => {
    await plan();
    const launched = await Promise.all([
      here.deploy("--stage", "1", "shard-1"),
      there.deploy("--stage", "1", "shard-2", "shard-3"),
    ]);
    launched.forEach(succeeds);
    await here.assertSpread();
    assert.equal(here.takeRequests().length, customers.length);
    assert.match(succeeds(await there.deploy("--stage", "2")).output, /^Nothing to do in stage 2$/m);
    former = tokensOf(here.emulator);
  });

  it("refuse a plan that was made for other lists", async () => {
    await there.list({ customers: customers.slice(1) });
    fails(await there.deploy("--stage", "1", "shard-2"), /plan\.json was made for other customers/);
    await there.list({ customers });
  });

  it("let no shard forget a customer before another machine has brought up the shard that gets it", async () => {
    await list({ shards: [...shards, "shard-4"] });
    assert.match((await plan()).output, /stage 1 is shard-4; stage 2 is shard-1, shard-2, shard-3/);
    fails(
      await here.deploy("--stage", "2", "--share", "1/2"),
      /Customers have not moved yet .*: bring up shard-4 first/,
    );
    assert.deepEqual(here.takeRequests(), []);
  });

  it("move the customers to a shard that is added, with their tokens", async () => {
    succeeds(await there.deploy("--stage", "1", "shard-4"));
    const launched = await Promise.all([
      here.deploy("--stage", "2", "--share", "1/2"),
      there.deploy("--stage", "2", "--share", "2/2"),
    ]);
    launched.forEach(succeeds);
    await here.assertSpread();
    assert(here.takeRequests().every((request) => /^GET .* returned$/.test(request)));
    assert.deepEqual(tokensOf(here.emulator), former);
  });
});

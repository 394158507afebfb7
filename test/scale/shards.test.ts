/** examples/shards with 100,000 groups, by four processes that share a backend, as the jobs of a matrix do. Prints the time of each step. */
import assert from "node:assert/strict";
import { startEmulator } from "../../provider/src/testing";
import { succeeds } from "../engine/harness";
import { customersUpTo, ShardedDeployment } from "../examples/shardedDeployment";

const count = Number(process.env["SCALE_GROUPS"] ?? 100_000);

it(`examples/shards: ${count} groups over ten stacks, and nothing in a second deployment`, async () => {
  const shards = Array.from({ length: 10 }, (_, n) => `tenants-${n + 1}`);
  let requests = 0;
  const log = () => {
    requests += 1;
  };
  const emulator = await startEmulator({ latency: 20, log, keepRequests: false });
  const first = await ShardedDeployment.start(emulator, { customers: customersUpTo(count), shards });
  const machines = [first];
  for (let n = 0; n < 3; n += 1) machines.push(await first.otherMachine());
  /** Each machine brings up every fourth of the shards, one after the other. */
  const deploy = () =>
    Promise.all(
      machines.map(async (machine, turn) => {
        for (const shard of shards.filter((_, index) => index % machines.length === turn))
          succeeds(await machine.run("deploy", shard));
      }),
    );
  try {
    await time("the decision", first.run("stages"));
    await time("the first deployment", deploy());
    assert.equal(requests, count);
    await first.assertSpread();
    await time("a deployment without a change", deploy());
    assert.equal(requests, count);
  } finally {
    for (const { stack } of machines) await stack.remove();
    await emulator.stop();
  }
});

/** Prints how long the work takes. */
async function time<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work;
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** examples/shards with 100,000 groups, by four processes that share a backend, as the jobs of a matrix do. Prints the time of each step. */
import assert from "node:assert/strict";
import { z } from "zod";
import { shardOf } from "../../examples/shards/sharding";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { canKill, fails, ProcessKiller, succeeds, tokensOf } from "../engine/harness";
import { customersUpTo, ShardedDeployment } from "../examples/shardedDeployment";
import type { Ended } from "../harness/run";

const count = Number(process.env["SCALE_GROUPS"] ?? 100_000);
const customers = customersUpTo(count);
const ten = Array.from({ length: 10 }, (_, n) => `tenants-${n + 1}`);
const eleven = [...ten, "tenants-11"];

(canKill ? describe : describe.skip)(`examples/shards: ${count} groups over ten stacks`, () => {
  const killer = new ProcessKiller();
  const effects = new Map<string, number>();
  const machines: ShardedDeployment[] = [];
  let emulator: Emulator;
  let first: ShardedDeployment;
  before("four machines", async () => {
    /** The customers of the second shard that the first machine brings up. */
    const watched = new Set(
      customers.filter((each) => shardOf(each, ten) === "tenants-5").map(({ id }) => id),
    );
    emulator = await startEmulator({
      latency: 20,
      keepRequests: false,
      log: ({ effect, userGroupId = "" }) => {
        effects.set(effect, (effects.get(effect) ?? 0) + 1);
        if (watched.has(userGroupId)) killer.onRequest();
      },
    });
    first = await ShardedDeployment.start(emulator, { customers, shards: ten }, killer.env);
    machines.push(first);
    for (let n = 0; n < 3; n += 1) machines.push(await first.otherMachine(new ProcessKiller().env));
  });
  after(async () => {
    for (const machine of machines) await machine.stack.remove();
    await emulator.stop();
  });

  /** Each machine brings up every fourth of the shards, one after the other, until one fails. */
  const bringUp = (shards: readonly string[]) =>
    Promise.all(
      machines.map(async (machine, turn) => {
        let last: Ended = { code: 0, stdout: "", stderr: "", output: "" };
        for (const shard of shards.filter((_, index) => index % machines.length === turn))
          if (last.code === 0) last = await machine.run("deploy", shard);
        return last;
      }),
    );

  it("creates all groups, also if a process is killed in the middle, once its stack is unlocked", async () => {
    succeeds(await time("decide", first.run("stages")));
    const inTheMiddle = { requests: Math.round(count / 20) };
    let others: Ended[] = [];
    const killed = await killer.during(inTheMiddle, async () => {
      const [own, ...launched] = await time("first deployment, one process killed", bringUp(ten));
      others = launched;
      return own ?? assert.fail();
    });
    assert.equal(killed.code, null, killed.output);
    others.forEach(succeeds);
    const former = tokensOf(emulator);
    assert(Object.keys(former).length < count);

    const locked = /^tenants-5:$[^]*the stack is currently locked/m;
    fails(await first.run("deploy", "tenants-5"), locked);
    succeeds(await first.stack.shell("pulumi cancel --yes --stack tenants-5"));
    (await time("the rest", bringUp(ten))).forEach(succeeds);
    const tokens = tokensOf(emulator);
    for (const [id, token] of Object.entries(former)) assert.equal(tokens[id], token, id);
    assert.deepEqual([effects.get("created"), effects.get("deleted")], [count, undefined]);
    await first.assertSpread();
  });

  it("moves the share of a stack that is added, and nothing else", async () => {
    const former = tokensOf(emulator);
    await Promise.all(machines.map((machine) => machine.list({ shards: eleven })));
    effects.clear();
    const { stdout } = succeeds(await time("decide on an added stack", first.run("stages")));
    const stages = [...stdout.matchAll(/^(?:first|then)=(.*)$/gm)].map(([, json = ""]) =>
      z.array(z.string()).parse(JSON.parse(json)),
    );
    assert.deepEqual(stages, [["tenants-11"], ten]);
    for (const shards of stages) (await time(`deploy ${shards[0]}`, bringUp(shards))).forEach(succeeds);
    const moved = customers.filter((customer) => shardOf(customer, eleven) === "tenants-11").length;
    assert.deepEqual([...effects], [["returned", moved]]);
    assert.deepEqual(tokensOf(emulator), former);
    await first.assertSpread();
  });
});

/** Prints how long the work takes. */
async function time<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work;
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

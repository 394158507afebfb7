import assert from "node:assert/strict";
import { z } from "zod";
import { shardOf } from "../../examples/shards/sharding";
import { canKill, ProcessKiller, fails, succeeds, tokensOf } from "../engine/harness";
import { run, type Ended } from "../harness/run";
import type { RequestLogEntry } from "../../provider/src/testing";
import { customersUpTo, ShardedDeployment } from "../examples/shardedDeployment";

const count = Number(process.env["SCALE_GROUPS"] ?? 100_000);
const customers = customersUpTo(count);
const ten = Array.from({ length: 10 }, (_, n) => `tenants-${n + 1}`);
const eleven = [...ten, "tenants-11"];
const machineCount = 4;
/** Of the service, in milliseconds. */
const latency = 20;

describe(`examples/shards: ${count} groups over ten stacks, by ${machineCount} processes`, () => {
  const ends: (() => Promise<void>)[] = [];
  const killer = new ProcessKiller();
  const memory = watchMemory(Object.values(killer.env).join(""));
  /** The customers of the second shard that the first machine brings up. */
  const watched = new Set(customers.filter((each) => shardOf(each, ten) === "tenants-5").map(({ id }) => id));
  const effects = new Map<string, number>();
  const machines: ShardedDeployment[] = [];
  let former: Record<string, string>;
  before(async function () {
    if (!canKill) return this.skip();
    const log = ({ effect, userGroupId = "" }: RequestLogEntry) => {
      effects.set(effect, (effects.get(effect) ?? 0) + 1);
      if (watched.has(userGroupId)) killer.onRequest();
    };
    const options = { latency, log, keepRequests: false };
    const service = await ShardedDeployment.create({ customers, shards: ten }, options);
    ends.unshift(() => service.remove());
    for (let index = 0; index < machineCount; index += 1) {
      const { env } = index === 0 ? killer : new ProcessKiller();
      const machine = await service.otherMachine(env);
      ends.unshift(() => machine.removeCheckout());
      machines.push(machine);
    }
  });
  after(async () => {
    console.log(`memory of one machine's processes: at most ${memory.stop()} MiB`);
    for (const end of ends) await end();
  });

  const first = () => machines[0] ?? assert.fail("no machine");
  const others = () => machines.slice(1);
  /** Brings up every fourth of the shards, one after the other, as the jobs of a matrix do. */
  const bringUp = async (machine: ShardedDeployment, shards: readonly string[]) => {
    let last: Ended | undefined;
    for (const shard of shards.filter((_, index) => index % machineCount === machines.indexOf(machine))) {
      last = await machine.deploy(shard);
      if (last.code !== 0) return last;
    }
    return last ?? { code: 0, stdout: "", stderr: "", output: "" };
  };

  it("creates all groups but some of the process that is killed in the middle", async () => {
    succeeds(await time("decide", () => first().npmRun("stages")));
    const moment = { requests: Math.round(watched.size / 2) };
    const [killed, ...launched] = await time("first deployment, one process killed in the middle", () =>
      Promise.all([
        killer.during(moment, () => bringUp(first(), ten)),
        ...others().map((machine) => bringUp(machine, ten)),
      ]),
    );
    assert.equal(killed.code, null, killed.output);
    launched.forEach(succeeds);
    former = tokensOf(first().emulator);
    assert(Object.keys(former).length < count);
  });

  it("creates the rest when that process is started again, once its stacks are unlocked", async () => {
    fails(await bringUp(first(), ten), /^tenants-5:$[^]*the stack is currently locked/m);
    succeeds(await first().pulumi("cancel", "--yes", "--stack", "tenants-5"));
    succeeds(await time("the killed process, started again", () => bringUp(first(), ten)));
    const tokens = tokensOf(first().emulator);
    for (const [id, token] of Object.entries(former)) assert.equal(tokens[id], token, id);
    former = tokens;
    assert.deepEqual([effects.get("created"), effects.get("deleted")], [count, undefined]);
    await assertSpread(ten);
  });

  it("moves the share of a stack that is added, and nothing else", async () => {
    await Promise.all(machines.map((machine) => machine.list({ shards: eleven })));
    effects.clear();
    const { stdout } = succeeds(await time("decide on an added stack", () => first().npmRun("stages")));
    const stages = [...stdout.matchAll(/^(?:first|then)=(.*)$/gm)].map(([, json = ""]) =>
      z.array(z.string()).parse(JSON.parse(json)),
    );
    assert.deepEqual(stages, [["tenants-11"], ten]);
    for (const [index, shards] of stages.entries()) {
      const launched = await time(`the added stack, stage ${index + 1}`, () =>
        Promise.all(machines.map((machine) => bringUp(machine, shards))),
      );
      launched.forEach(succeeds);
    }
    const moved = customers.filter((customer) => shardOf(customer, eleven) === "tenants-11").length;
    assert.deepEqual([...effects], [["returned", moved]]);
    assert.deepEqual(tokensOf(first().emulator), former);
    await assertSpread(eleven);
  });

  /** Each customer is in the state of one shard, with the token that the service holds. */
  async function assertSpread(shards: readonly string[]): Promise<void> {
    const tokens = tokensOf(first().emulator);
    const seen = new Set<string>();
    let bytes = 0;
    for (const shard of shards) {
      for (const [id, token] of Object.entries(await recordedTokens(shard))) {
        assert.equal(shardOf({ id }, shards), shard);
        assert.equal(token, tokens[id], id);
        seen.add(id);
      }
      bytes += await first().stateBytes(shard);
    }
    assert.deepEqual([seen.size, Object.keys(tokens).length], [count, count]);
    console.log(`states: ${(bytes / 2 ** 20).toFixed(1)} MiB, ${Math.round(bytes / count)} bytes a group`);
  }

  async function recordedTokens(shard: string): Promise<Record<string, string>> {
    const ids = await first().recorded(shard);
    const command = ["stack", "output", "tokens", "--show-secrets", "--json", "--stack", shard];
    const tokens = tokensById.parse(JSON.parse(succeeds(await first().pulumi(...command)).stdout));
    assert.deepEqual(Object.keys(tokens).sort(), ids);
    return tokens;
  }
});

const tokensById = z.record(z.string(), z.string());

/** Prints how long the work takes. */
async function time<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** Samples the sum of the resident sets of the processes with this mark in their environment. */
function watchMemory(mark: string): { stop(): number } {
  let largest = 0;
  const sample = async () => {
    const { stdout } = await run("ps", ["axeww", "-o", "rss=,command="]);
    const sizes = stdout.split("\n").filter((line) => line.includes(mark));
    largest = Math.max(
      largest,
      sizes.reduce((sum, line) => sum + parseInt(line, 10), 0),
    );
  };
  const timer = setInterval(() => void sample(), 1_000);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(largest / 1024);
    },
  };
}

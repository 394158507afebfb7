/**
 * examples/worker with 10,000 customers in 50 stacks, and two workers, through an hourly job, ten restarts of the database and a lost
 * machine. Prints the times from row to token, and the processor's; no token may be lost, doubled or mixed up.
 */
import assert from "node:assert/strict";
import { canKill, ProcessKiller } from "../../support/engine";
import { eventually, WorkerDeployment } from "../../examples/workerDeployment";

const count = Number(process.env["SCALE_GROUPS"] ?? 10_000);

(canKill ? it : it.skip)(`examples/worker: ${count} customers in 50 stacks`, async () => {
  const lost = new ProcessKiller();
  let onRequest = () => undefined as unknown;
  const deployment = await WorkerDeployment.start({
    latency: 20,
    keepRequests: false,
    log: () => onRequest(),
  });
  const { sql } = deployment;
  try {
    await sql`insert into shards select 'customers-' || number from generate_series(5, 50) as number`;
    const first = await deployment.startWorker();
    const second = await deployment.startWorker("node worker.ts", lost.env);
    const cpuSeconds = () => first.cpuSeconds + second.cpuSeconds;
    const jobs = async () =>
      (await sql`select from pgboss.job where name = 'stacks' and state = 'completed'`).length;

    /** Signs customers up one after another. `meanwhile`: before the one of that number. */
    const signUps = async (
      title: string,
      number: number,
      meanwhile: (index: number) => unknown = () => undefined,
    ) => {
      const times: number[] = [];
      const [cpuBefore, jobsBefore] = [cpuSeconds(), await jobs()];
      for (let index = 0; index < number; index += 1) {
        await meanwhile(index);
        const name = `${title}-${index}`.replaceAll(" ", "-");
        const at = performance.now();
        await deployment.signUp(name);
        await eventually(() => deployment.hasToken(`${name}-1`));
        times.push((performance.now() - at) / 1000);
      }
      await deployment.settle();
      times.sort((one, other) => one - other);
      const at = (share: number) => times[Math.ceil(share * number) - 1]?.toFixed(1);
      const cpu = (cpuSeconds() - cpuBefore) / ((await jobs()) - jobsBefore);
      console.log(
        `${title}: p50 ${at(0.5)} s, p95 ${at(0.95)} s, at most ${at(1)} s; ${cpu.toFixed(1)} s of a processor for each job`,
      );
    };

    const start = performance.now();
    await deployment.signUp("customer", count);
    console.log(`${count} rows: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await deployment.settle();
    console.log(`${count} tokens: ${((performance.now() - start) / 1000).toFixed(0)} s`);
    await signUps("alone", 30);
    await sql.unsafe(`begin; set local customers.may_change = 60; update customers set name = name || ' II'
      where id in (select min(id) from customers group by shard limit 30); commit`);
    await deployment.settle();
    await signUps("with an hourly job", 60, async (index) => {
      if (index !== 30) return;
      await sql`update dashboard_tokens set valid_until = now() where valid_until is not null`;
      await deployment.hourly();
    });
    await signUps("with ten restarts", 30, async (index) => {
      if (index % 3 !== 1) return;
      await deployment.database.stop();
      await deployment.database.start();
    });
    console.log(`connections: ${JSON.stringify(await connections(deployment))}`);
    assert.deepEqual([first.hasEnded, second.hasEnded], [false, false]);

    const isOfSecond = () => lost.isRunning("plugin.cjs");
    let died: number | undefined;
    onRequest = () => {
      if (died !== undefined || !isOfSecond()) return;
      died = performance.now();
      lost.kill();
    };
    let last = 0;
    while (died === undefined) {
      last += 1;
      await deployment.signUp(`lost-${last}`, 4);
      const isDone = async () => died !== undefined || (await deployment.hasToken(`lost-${last}-4`));
      await eventually(isDone);
    }
    await deployment.settle();
    console.log(`after the loss of a machine: ${((performance.now() - died) / 1000).toFixed(0)} s`);
  } finally {
    await deployment.remove();
  }
});

/** By role and program, while workers are at rest. */
async function connections({ sql }: WorkerDeployment): Promise<unknown[]> {
  return sql`select usename, count(*)::int from pg_stat_activity where usename = 'worker' group by usename`;
}

/**
 * examples/worker with 10,000 customers in 50 stacks, and two workers, through an hourly job, ten restarts of the database and the loss of a
 * machine. It prints the times from row to token and what the database has; no token may be lost, doubled or mixed up. SCALE_CUSTOMERS and
 * SCALE_STACKS choose another size.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalDatabase } from "../../../examples/database/test/localDatabase";
import { newSql, type Sql } from "../../examples/sql";
import { eventually, WorkerDeployment } from "../../examples/workerDeployment";
import { canKill, ProcessKiller } from "../../support/engine";

const customers = Number(process.env["SCALE_CUSTOMERS"] ?? 10_000);
const stacks = Number(process.env["SCALE_STACKS"] ?? 50);

/** Milliseconds from one sign-up to the next, whatever becomes of it. */
const interval = 5000;

(canKill ? it : it.skip)(`examples/worker: ${customers} customers in ${stacks} stacks`, async () => {
  const lost = new ProcessKiller();
  let onRequest = () => undefined as unknown;
  const log = () => onRequest();
  const deployment = await WorkerDeployment.start({ latency: 20, keepRequests: false, log });
  const { sql } = deployment;
  try {
    const room = Math.ceil(customers / stacks) + 50;
    await sql`delete from shards`;
    await sql`insert into shards select 'customers-' || number, ${room}::int from generate_series(1, ${stacks}::int) as number`;
    const first = await deployment.startWorker();
    const second = await deployment.startWorker("node worker.ts", lost.env);
    const cpuSeconds = () => first.cpuSeconds + second.cpuSeconds;
    const jobs = async () =>
      (await sql`select from pgboss.job where name = 'stacks' and state = 'completed'`).length;

    let connections = 0;
    const secondsToToken = async (name: string, at: number) => {
      // The database may be down.
      while (!(await deployment.hasToken(`${name}-1`).catch(() => false))) await sleep(200);
      return (performance.now() - at) / 1000;
    };
    /** Signs customers up, one in each interval. `meanwhile`: after the one of that number. */
    const signUps = async (
      title: string,
      number: number,
      meanwhile: (index: number) => unknown = () => undefined,
    ) => {
      const [cpuBefore, jobsBefore, start] = [cpuSeconds(), await jobs(), performance.now()];
      const waiting: Promise<number>[] = [];
      for (let index = 0; index < number; index += 1) {
        const name = `${title.replaceAll(" ", "-")}-${index}`;
        const at = performance.now();
        await deployment.signUp(name);
        waiting.push(secondsToToken(name, at));
        await meanwhile(index);
        connections = Math.max(connections, await connectionsOf(sql));
        await sleep(start + (index + 1) * interval - performance.now());
      }
      const times = (await Promise.all(waiting)).sort((one, other) => one - other);
      await deployment.settle();
      const count = (await jobs()) - jobsBefore;
      const at = (share: number) => `${times[Math.ceil(share * number) - 1]?.toFixed(1)} s`;
      const cpu = (cpuSeconds() - cpuBefore) / count;
      console.log(
        `${number} sign-ups ${title}: p50 ${at(0.5)}, p95 ${at(0.95)}, at most ${at(1)}; ${count} jobs, ${cpu.toFixed(1)} s of a processor each`,
      );
    };

    const start = performance.now();
    await deployment.signUp("customer", customers);
    console.log(`${customers} rows: ${secondsSince(start)}`);
    await deployment.settle();
    console.log(`${customers} tokens: ${secondsSince(start)}`);

    await signUps("alone", 20);

    const renamed = Math.ceil(0.6 * stacks);
    await sql.unsafe(`begin; set local customers.may_change = ${renamed}; update customers set name = name || ' II'
      where id in (select min(id) from customers group by shard limit ${renamed}); commit`);
    await deployment.settle();
    await signUps(`with an hourly job for ${renamed} stacks`, 60, async (index) => {
      if (index !== 30) return;
      await sql`update dashboard_tokens set valid_until = now() where valid_until is not null`;
      await deployment.hourly();
    });
    console.log(`history of a stack: ${await historyOf(sql)}; at most ${connections} connections`);

    let restarts = 0;
    await signUps("with ten restarts", 20, async (index) => {
      if (index % 2 === 0) return;
      await eventually(async () => (await sql`select from pgboss.job where state = 'active'`).length > 0);
      await deployment.database.stop();
      await deployment.database.start();
      restarts += 1;
    });
    assert.deepEqual([restarts, first.hasEnded, second.hasEnded], [10, false, false]);

    let died: number | undefined;
    onRequest = () => {
      if (died !== undefined || !lost.isRunning("plugin.cjs")) return;
      died = performance.now();
      lost.kill();
    };
    for (let burst = 1; died === undefined; burst += 1) {
      await deployment.signUp(`lost-${burst}`, 4);
      await eventually(async () => died !== undefined || (await deployment.hasToken(`lost-${burst}-4`)));
    }
    const earlier = first.output.length;
    await eventually(() => first.output.slice(earlier).includes("takes over"));
    console.log(`another machine takes over after ${secondsSince(died)}`);
    assert(performance.now() - died < 180_000);
    await deployment.settle();
  } finally {
    await deployment.remove();
  }
});

it("examples/worker: statements with 50,000 customers in 200 stacks", async () => {
  const database = await LocalDatabase.start("examples/worker/schema.sql");
  const sql = newSql(database.url("owner"));
  try {
    await sql.unsafe(`delete from shards;
      insert into shards select 'customers-' || number from generate_series(1, 200) as number;
      insert into customers (id, name, data_source, region, shard)
        select 'c-' || number, 'C', 'c', 'eu', 'customers-' || number % 200 + 1 from generate_series(1, 50000) as number;
      insert into dashboard_tokens select id, md5(id) from customers;
      delete from changes; update shards set size = 250; analyze`);
    const insert = await medianOf(100, (index) =>
      sql.unsafe(
        `insert into customers (id, name, data_source, region) values ('new-${index}', 'N', 'n', 'eu')`,
      ),
    );
    await sql`insert into dashboard_tokens select id, md5(id) from customers on conflict do nothing`;
    const due = await medianOf(20, () => sql`select from due`);
    console.log(`a sign-up's INSERT: ${insert}; the hourly query: ${due}`);
  } finally {
    await sql.end();
    await database.remove();
  }
});

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** In the stack with most of it. */
async function historyOf(sql: Sql): Promise<string> {
  const [largest] = await sql<{ files: number; kib: number }>`select count(*)::int as files,
    (sum(pg_column_size(data)) / 1024)::int as kib from pulumi.pulumi_state where key like '%/history/%'
    group by split_part(key, '/', 5) order by kib desc limit 1`;
  return `${largest?.files} files, ${largest?.kib} KiB`;
}

/** Of the workers and their engines. */
async function connectionsOf(sql: Sql): Promise<number> {
  return (await sql`select from pg_stat_activity where usename = 'worker'`).length;
}

async function medianOf(number: number, run: (index: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < number; index += 1) {
    const start = performance.now();
    await run(index);
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return `${times[Math.floor(number / 2)]?.toFixed(1)} ms`;
}

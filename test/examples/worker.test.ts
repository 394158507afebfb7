/** The customers' life with examples/worker, and everything that stops. Each test goes on where the one before it has ended. */
import assert from "node:assert/strict";
import { canKill, ProcessKiller } from "../engine/harness";
import { example } from "./example";
import { eventually, WorkerDeployment, type Worker } from "./workerDeployment";

(canKill ? describe : describe.skip)("examples/worker", () => {
  let deployment: WorkerDeployment;
  let sql: WorkerDeployment["sql"];
  let worker: Worker;
  const killer = new ProcessKiller();
  /** Called at a request to the service, until it returns true. */
  let onRequest = (): boolean => true;
  const log = () => {
    if (onRequest()) onRequest = () => true;
  };
  before("a database, a service and a worker", async () => {
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "4" };
    deployment = await WorkerDeployment.start({ log, latency: 5 }, env);
    sql = deployment.sql;
    worker = await deployment.startWorker();
  });
  after(() => deployment.remove());

  /** Calls `act` at the request of that number, from now. */
  const atRequest = (number: number, act: () => unknown) => {
    let count = 0;
    onRequest = () => {
      count += 1;
      if (count === number) act();
      return count === number;
    };
  };
  const groupOf = (token: string) =>
    [...deployment.emulator.groups.values()].find((group) => group.token === token);
  const locks = () =>
    sql<
      { key: string; data: { data: string } }[]
    >`select * from pulumi.pulumi_state where key like '%/locks/%'`;

  it("delivers the token of a customer who signs up by the application's role, which can do little else", async () => {
    const insert = "insert into customers (id, name, data_source, region) values";
    await sql.unsafe(`set role application; ${insert} ('acme', 'Acme', 'acme-data', 'eu'); reset role`);
    await eventually(() => deployment.hasToken("acme"));
    await deployment.settle();
    const [{ token } = assert.fail()] = await deployment.tokensOf("acme");
    assert.deepEqual(
      [groupOf(token)?.mapping, groupOf(token)?.properties],
      [{ sales: "acme-data" }, { region: "eu" }],
    );
    for (const [statement, error] of [
      ["set role application; delete from customers", /permission denied/],
      ["set role application; update customers set shard = 'customers-2'", /permission denied/],
      ["set role application; delete from dashboard_tokens", /permission denied/],
      [`${insert} ('b', ' B', 'b', 'eu')`, /check constraint/],
      [`${insert} ('B', 'B', 'b', 'eu')`, /check constraint/],
    ] as const)
      await assert.rejects(sql.unsafe(statement), error);
  });

  it("spreads a hundred sign-ups over the stacks and two workers, in far fewer than a hundred updates", async () => {
    await deployment.startWorker();
    for (let burst = 0; burst < 25; burst += 1) await deployment.signUp(`burst-${burst}`, 4);
    await deployment.settle();
    const sizes = await sql<{ size: number }[]>`select count(*)::int as size from customers group by shard`;
    assert.deepEqual(sizes.map(({ size }) => size).sort(), [25, 25, 25, 26]);
    const jobs = await sql`select from pgboss.job where name = 'shards' and state = 'completed'`;
    assert(jobs.length < 60, `${jobs.length} jobs`);
  });

  it("never brings one stack up twice at a time, and misses no change, also one that commits late", async () => {
    const late = await sql.reserve();
    await late`begin`;
    await late`update customers set name = 'Late' where id = 'acme'`;
    for (let change = 0; change < 12; change += 1) {
      await sql`update customers set region = case region when 'eu' then 'us' else 'eu' end where id = 'burst-0-1'`;
      await eventually(async () => (await sql`select from pgboss.job where state = 'active'`).length > 0);
    }
    await late`commit`;
    late.release();
    await deployment.settle();
    const [{ token } = assert.fail()] = await deployment.tokensOf("acme");
    assert.equal(groupOf(token)?.name, "Late");
    assert.doesNotMatch(worker.output, /currently locked/);
  });

  it("renames a customer whose former token stays valid for a day", async () => {
    const [former = assert.fail()] = await deployment.tokensOf("burst-4-1");
    await sql`update customers set name = 'Renamed' where id = 'burst-4-1'`;
    await deployment.settle();
    const [current = assert.fail(), kept = assert.fail()] = await deployment.tokensOf("burst-4-1");
    assert.deepEqual([groupOf(current.token)?.name, kept.token], ["Renamed", former.token]);
    const hours = (Number(kept.valid_until) - Date.now()) / 3_600_000;
    assert(hours > 23 && hours <= 24);
  });

  it("keeps the token of a customer who comes back within a week, and ends it afterwards", async () => {
    const former = await deployment.tokensOf("burst-8-1");
    for (const left of [sql`now()`, sql`null`]) {
      await sql`update customers set left_at = ${left} where id = 'burst-8-1'`;
      await deployment.settle();
      assert.deepEqual(await deployment.tokensOf("burst-8-1"), former);
    }
    await sql`update customers set left_at = now() - interval '8 days' where id = 'burst-8-1'`;
    await deployment.settle();
    assert.equal(await deployment.hasToken("burst-8-1"), false);
    await sql`delete from customers where id = 'burst-8-1'`;
  });

  it("refuses a wrong DELETE and UPDATE of 1,000 customers, in any number of steps, and more than a stack's limit", async () => {
    const many = `insert into customers (id, name, data_source, region)
      select 'many-' || number, 'Many', 'many', 'eu' from generate_series(1, 1000) number`;
    const leave = (when: string, which: string) =>
      `update customers set left_at = ${when} where id like 'many-${which}'`;
    for (const [statement, error] of [
      ["delete from customers", /set left_at of a customer who leaves/],
      [leave("now()", "%"), /1000 customers would have left within a day, more than 20/],
      [leave("'2020-01-01'", "%"), /1000 customers would have left/],
      [
        `set local customers.may_leave = 1; ${leave("now()", "1")}; ${leave("now()", "2")}`,
        /2 customers would/,
      ],
    ] as const)
      await assert.rejects(sql.unsafe(`${many}; ${statement}`), error);
    deployment.emulator.clearRequests();
    await sql`update shards set deletion_limit = 2`;
    await sql`update customers set left_at = now() - interval '8 days' where id in (
      select id from customers where shard = 'customers-2' and left_at is null order by id desc limit 3)`;
    await eventually(() => worker.output.includes("[deletion-limit]"));
    assert.equal(deployment.emulator.requests.length, 0);
    await sql`update shards set deletion_limit = 20`;
    await deployment.settle();
  });

  it("says who has no token and why, while the service refuses one customer, and the others get theirs", async () => {
    deployment.emulator.fault({ kind: "refuse", method: "GET", customer: "refused-2", times: Infinity });
    await deployment.signUp("refused", 3, "customers-3");
    const [, query = ""] = /no token[^]*?```sql\n([^]*?)```/.exec(example("worker")["README.md"] ?? "") ?? [];
    const waiting = () => sql.unsafe<{ id: string; why: string | null }[]>(query);
    await eventually(
      async () => (await deployment.hasToken("refused-3")) && Boolean((await waiting())[0]?.why),
    );
    const [{ id, why } = assert.fail(), ...others] = await waiting();
    assert.deepEqual([id, others], ["refused-2", []]);
    assert.match(why ?? "", /Cannot create user group "refused-2".*\[service-refused\]/s);
    deployment.emulator.clearFaults();
    await deployment.settle();
  });

  it("goes on when the database was down in the middle of an update", async () => {
    let stopped: Promise<void> | undefined;
    atRequest(1, () => (stopped = deployment.database.stop()));
    await deployment.signUp("down", 2);
    await eventually(() => stopped !== undefined && worker.output.includes("pg-boss: "));
    await stopped;
    await deployment.database.start();
    await deployment.settle();
    assert.equal(worker.hasEnded, false);
  });

  it("ends in order on SIGTERM in the middle of an update, which it finishes", async () => {
    await deployment.removeWorkers();
    worker = await deployment.startWorker();
    let ended: Promise<number | null> | undefined;
    atRequest(1, () => (ended = worker.end("SIGTERM")));
    await deployment.signUp("orderly", 20, "customers-1");
    await eventually(() => ended !== undefined);
    assert.equal(await ended, 0, worker.output);
    await deployment.settle();
    assert.equal((await locks()).length, 0);
  });

  for (const killed of ["a worker", "a worker, its engine and its plugin"])
    it(`lets another worker take over from ${killed}, killed with 60 sign-ups in flight`, async () => {
      worker = await deployment.startWorker();
      atRequest(20, () => {
        if (killed === "a worker") void worker.end("SIGKILL");
        else killer.kill();
      });
      await deployment.signUp(`killed-${killed.length}`, 60, "customers-2");
      await eventually(() => worker.hasEnded);
      const other = await deployment.startWorker();
      await deployment.settle();
      assert.match(other.output, /customers-2: takes over from a killed worker/);
      await other.end("SIGTERM");
    });

  it("takes over from a worker of another machine once its lock is older than any update", async () => {
    worker = await deployment.startWorker();
    atRequest(1, () => {
      killer.kill();
    });
    await deployment.signUp("elsewhere", 8, "customers-4");
    await eventually(() => worker.hasEnded);
    const [{ key, data } = assert.fail()] = await locks();
    const changeLock = (values: object) => {
      const lock = JSON.parse(Buffer.from(data.data, "base64").toString()) as object;
      const text = JSON.stringify({ ...lock, hostname: "elsewhere", ...values });
      const encoded = { data: Buffer.from(text).toString("base64") };
      return sql`update pulumi.pulumi_state set data = ${sql.json(encoded)} where key = ${key}`;
    };
    await changeLock({});
    const other = await deployment.startWorker();
    await eventually(() => /customers-4: .*currently locked.*@elsewhere/s.test(other.output));
    assert.doesNotMatch(other.output, /customers-4: takes over/);
    await changeLock({ timestamp: new Date(Date.now() - 151_000).toISOString() });
    await deployment.settle();
    assert.match(other.output, /customers-4: takes over/);
  });

  it("moves customers to a new stack with their tokens, and gives the next customer the place", async () => {
    const current = () =>
      sql`select customer_id, token from dashboard_tokens where valid_until is null order by 1`;
    const before = await current();
    const former = await sql<{ token: string }[]>`select token from dashboard_tokens
      join customers on id = customer_id where shard = 'customers-1' and valid_until is not null`;
    await sql`insert into shards values ('customers-5', 300)`;
    await sql.unsafe(`update shards set removed = 'retain' where name = 'customers-1';
      update customers set shard = 'customers-5' where shard = 'customers-1'`);
    await deployment.idle();
    assert.deepEqual(await current(), before);
    for (const { token } of former)
      deployment.emulator.removeGroup(groupOf(token)?.userGroupId ?? assert.fail("A former group is gone"));
    await sql`update shards set removed = 'delete' where name = 'customers-1'`;
    await deployment.signUp("next");
    await deployment.settle();
    const [next] = await sql<{ shard: string }[]>`select shard from customers where id = 'next-1'`;
    assert.equal(next?.shard, "customers-1");
  });
});

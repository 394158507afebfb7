/** The customers' life with examples/worker, and everything that stops. Each test goes on where the one before it has ended. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { snippetsOf } from "../pages/pages";
import { canKill, ProcessKiller } from "../support/engine";
import { example } from "./example";
import { newSql, type Sql } from "./sql";
import { eventually, WorkerDeployment, type Worker } from "./workerDeployment";

(canKill ? describe : describe.skip)("examples/worker", () => {
  let deployment: WorkerDeployment;
  let sql: Sql;
  let worker: Worker;
  const killer = new ProcessKiller();
  /** Called at a request to the service, until it returns true. */
  let onRequest = (): boolean => true;
  const log = () => {
    if (onRequest()) onRequest = () => true;
  };
  before("a database, a service and a worker", async () => {
    const env = { ...killer.env, USER_GROUPS_MAX_CONNECTIONS: "4" };
    // A JWT may be larger than an entry of an index.
    const newToken = () => randomBytes(3000).toString("base64url");
    deployment = await WorkerDeployment.start({ log, latency: 5, newToken }, env);
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
  const locks = () => sql<{ key: string }>`select key from pulumi.pulumi_state where key like '%/locks/%'`;
  /** Lets the time pass after which the lock of an `up` is nobody's. */
  const ageLocks = () =>
    sql`update pulumi.pulumi_state set updated_at = now() - interval '151 seconds' where key like '%/locks/%'`;
  const currentTokens = () =>
    sql<{ customer_id: string; token: string }>`select customer_id, token from dashboard_tokens
      where valid_until is null order by 1`;
  /** A query of the README, by its number. */
  const query = (number: number) => snippetsOf("examples/worker/README.md", "sql")[number] ?? assert.fail();
  const insert = "insert into customers (id, name, data_source, region) values";

  it("delivers the token of a customer who signs up by the application's role, which can do little else", async () => {
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
      ["set role application; update customers set ends_at = null", /permission denied/],
      ["set role application; delete from dashboard_tokens", /permission denied/],
      [`${insert} ('b', ' B', 'b', 'eu')`, /check constraint/],
      [`${insert} ('B', 'B', 'b', 'eu')`, /check constraint/],
    ] as const)
      await assert.rejects(sql.unsafe(statement), error);
  });

  it("has room for a second database of the same server", async () => {
    await sql.unsafe("create database second");
    const url = new URL(deployment.database.url("owner"));
    url.pathname = "/second";
    const second = newSql(url.href);
    await second.unsafe(example("worker")["schema.sql"] ?? "");
    await second.end();
  });

  it("spreads a hundred sign-ups over the stacks and two workers, in far fewer than a hundred updates", async () => {
    await deployment.startWorker();
    for (let burst = 0; burst < 25; burst += 1) await deployment.signUp(`burst-${burst}`, 4);
    await deployment.settle();
    const sizes = await sql<{ size: number }>`select count(*)::int as size from customers group by shard`;
    assert.equal(sizes.length, 4);
    assert(Math.min(...sizes.map(({ size }) => size)) >= 15);
    const jobs = await sql`select from pgboss.job where name = 'stacks' and state = 'completed'`;
    assert(jobs.length < 60, `${jobs.length} jobs`);
  });

  it("never brings one stack up twice at a time, and misses no change, also one that commits late", async () => {
    const late = await sql.reserve();
    await late`begin`;
    await late`update customers set name = 'Late' where id = 'acme'`;
    for (let change = 0; change < 6; change += 1) {
      await sql`update customers set region = case region when 'eu' then 'us' else 'eu' end where id = 'burst-0-1'`;
      await eventually(async () => (await sql`select from pgboss.job where state = 'active'`).length > 0);
    }
    await late`commit`;
    late.release();
    await deployment.settle();
    const [{ token } = assert.fail()] = await deployment.tokensOf("acme");
    assert.equal(groupOf(token)?.name, "Late");
    assert.deepEqual(await sql`select from shards where problem is not null`, []);
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

  it("rotates a customer twice on one day, and takes a rotation for the same in each time zone", async () => {
    for (let time = 1; time <= 2; time += 1) {
      await sql`update customers set rotated = now() where id = 'burst-5-1'`;
      await deployment.settle();
      assert.equal((await deployment.tokensOf("burst-5-1")).length, time + 1);
    }
    await sql.unsafe("alter role worker set timezone = 'Asia/Tokyo'");
    worker = await deployment.startWorker();
    const before = await currentTokens();
    for (const { name } of await sql<{ name: string }>`select name from shards`)
      await sql`update customers set name = name || ' II' where id in (
        select id from customers where shard = ${name} and id like 'burst-6-%' limit 1)`;
    await deployment.settle();
    const formerly = new Set(before.map(({ token }) => token));
    const changed = (await currentTokens()).filter(({ token }) => !formerly.has(token));
    const renamed = await sql`select from customers where name like '% II'`;
    assert(renamed.length > 1);
    assert.equal(changed.length, renamed.length);
    await sql.unsafe("alter role worker reset timezone");
  });

  it("ends the former tokens of a customer whose token leaked, in seconds, and those of nobody else", async () => {
    const [leaked = assert.fail()] = await deployment.tokensOf("burst-4-1");
    const others = () =>
      sql`select * from dashboard_tokens where customer_id <> 'burst-4-1' order by 1, md5(token)`;
    const before = await others();
    await sql.unsafe(
      "set role application; update customers set leaked = true where id = 'burst-4-1'; reset role",
    );
    await eventually(async () => (await sql`select from customers where leaked`).length === 0);
    await deployment.settle();
    assert.equal((await deployment.tokensOf("burst-4-1")).length, 1);
    assert.equal(groupOf(leaked.token), undefined);
    assert.deepEqual(await others(), before);
  });

  it("keeps the token of a customer who comes back within a week, whatever day was written, and ends it afterwards", async () => {
    const former = await deployment.tokensOf("burst-8-1");
    for (const left of ["2020-01-01", null]) {
      await sql`update customers set left_at = ${left} where id = 'burst-8-1'`;
      await deployment.settle();
      assert.deepEqual(await deployment.tokensOf("burst-8-1"), former);
    }
    await sql`update customers set left_at = now() where id = 'burst-8-1'`;
    await deployment.settle();
    await deployment.backdate(
      "update customers set ends_at = ends_at - interval '8 days' where id = 'burst-8-1'",
    );
    await deployment.hourly();
    await eventually(async () => !(await deployment.hasToken("burst-8-1")));
    await deployment.settle();
    await sql`delete from customers where id = 'burst-8-1'`;
  });

  it("refuses a wrong DELETE, TRUNCATE, UPDATE and rename of 1,000 customers, in any number of steps, and more than a stack's limit", async () => {
    const many = `insert into customers (id, name, data_source, region)
      select 'many-' || number, 'Many', 'many', 'eu' from generate_series(1, 1000) number`;
    const leave = (when: string, which: string) =>
      `update customers set left_at = ${when} where id like 'many-${which}'`;
    for (const [statement, error] of [
      ["delete from customers", /set left_at of a customer who leaves/],
      ["truncate customers cascade", /set left_at of a customer who leaves/],
      [leave("now()", "%"), /1000 customers would have left within a day, more than 20/],
      [leave("'2020-01-01'", "%"), /1000 customers would have left/],
      [
        `set local customers.may_leave = 1; ${leave("now()", "1")}; ${leave("now()", "2")}`,
        /\d+ customers would have left/,
      ],
      [
        "update customers set name = name || '!'",
        /\d+ customers would have got a new token within a day, more than 1\d\d/,
      ],
    ] as const)
      await assert.rejects(sql.unsafe(`${many}; ${statement}`), error);
    deployment.emulator.clearRequests();
    await sql`update shards set deletion_limit = 2`;
    const three = `(select id from customers where shard = 'customers-2' and left_at is null order by id desc limit 3)`;
    await deployment.backdate(
      `update customers set left_at = now(), leaving_since = '-infinity', ends_at = '-infinity' where id in ${three}`,
    );
    await deployment.hourly();
    await eventually(
      async () => (await sql`select from shards where problem like '%[deletion-limit]%'`).length > 0,
    );
    assert.equal(deployment.emulator.requests.length, 0);
    await sql`update shards set deletion_limit = 20`;
    await deployment.hourly();
    await eventually(async () => (await sql`select from shards where problem is not null`).length === 0);
    await deployment.settle();
  });

  it("says who has no token and why, while the service refuses one customer, and the others get theirs", async () => {
    deployment.emulator.fault({ kind: "refuse", method: "GET", customer: "refused-2", times: Infinity });
    await deployment.signUp("refused", 3, "customers-3");
    const waiting = () => sql.unsafe<{ id: string; problem: string | null }>(query(1));
    await eventually(
      async () => (await deployment.hasToken("refused-3")) && Boolean((await waiting())[0]?.problem),
    );
    const [{ id, problem } = assert.fail(), ...others] = await waiting();
    assert.deepEqual([id, others], ["refused-2", []]);
    assert.match(problem ?? "", /Cannot create user group "refused-2".*\[service-refused\]$/s);
    await deployment.signUp("meanwhile", 1, "customers-3");
    await eventually(() => deployment.hasToken("meanwhile-1"));
    const [{ name } = assert.fail()] = await sql.unsafe<{ name: string }>(query(2));
    assert.equal(name, "customers-3");
    deployment.emulator.clearFaults();
    await deployment.settle();
    assert.deepEqual([await sql.unsafe(query(1)), await sql.unsafe(query(2))], [[], []]);
  });

  it("lives on through ten restarts of the database in the middle of sign-ups", async () => {
    const workers = [worker, await deployment.startWorker()];
    for (let restart = 0; restart < 10; restart += 1) {
      await deployment.signUp(`restart-${restart}`, 4);
      await eventually(async () => (await sql`select from pgboss.job where state = 'active'`).length > 0);
      await deployment.database.stop();
      await deployment.database.start();
    }
    await ageLocks();
    await deployment.settle();
    assert.deepEqual(
      workers.map(({ hasEnded }) => hasEnded),
      [false, false],
    );
  });

  it("goes on when the database was down in the middle of an update", async () => {
    let stopped: Promise<void> | undefined;
    atRequest(1, () => (stopped = deployment.database.stop()));
    await deployment.signUp("down", 2);
    await eventually(() => stopped !== undefined);
    await stopped;
    await deployment.database.start();
    await ageLocks();
    await deployment.settle();
    assert.equal(worker.hasEnded, false);
  });

  for (const command of ["node worker.ts", "npm start"])
    it(`ends in order on SIGTERM in the middle of an update, which it finishes and delivers: ${command}`, async () => {
      await deployment.removeWorkers();
      worker = await deployment.startWorker(command);
      let ended: Promise<number | null> | undefined;
      // A terminal's signal comes twice: from the system, and from npm.
      atRequest(
        1,
        () => (ended = Promise.all([worker.end("SIGTERM"), worker.end("SIGTERM")]).then(([code]) => code)),
      );
      const name = `orderly-${command.slice(0, 4).trim()}`;
      await deployment.signUp(name, 20, "customers-1");
      await eventually(() => ended !== undefined);
      assert.equal(await ended, 0, worker.output);
      assert(await deployment.hasToken(`${name}-20`));
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
      if (killed !== "a worker") await ageLocks();
      const other = await deployment.startWorker();
      await deployment.settle();
      if (killed !== "a worker") assert.match(other.output, /customers-2: takes over from a killed worker/);
      await other.end("SIGTERM");
    });

  it("ends by itself if its engine hangs, before its lock is nobody's", async () => {
    worker = await deployment.startWorker("node worker.ts", { UP_SECONDS: "20" });
    atRequest(1, () => {
      killer.suspend("pulumi");
    });
    await deployment.signUp("hanging", 4, "customers-3");
    await eventually(() => worker.hasEnded);
    assert.equal(await worker.end("SIGKILL"), 1);
    killer.kill();
    await ageLocks();
    worker = await deployment.startWorker();
    await deployment.settle();
    await worker.end("SIGTERM");
  });

  it("finishes what was killed before it applies a row that has changed since, so no group is nobody's", async () => {
    for (const act of ["sign-up", "rename"]) {
      worker = await deployment.startWorker();
      if (act === "sign-up") {
        atRequest(1, () => {
          killer.kill();
        });
        await deployment.signUp("interrupted", 1, "customers-3");
      } else {
        await deployment.settle();
        atRequest(1, () => {
          killer.kill();
        });
        await sql`update customers set name = 'Interrupted again' where id = 'interrupted-1'`;
      }
      await eventually(() => worker.hasEnded);
      await sql`update customers set name = ${`After the ${act}`} where id = 'interrupted-1'`;
      await ageLocks();
      worker = await deployment.startWorker();
      await deployment.settle();
      const [{ token } = assert.fail()] = await deployment.tokensOf("interrupted-1");
      assert.equal(groupOf(token)?.name, `After the ${act}`);
      await worker.end("SIGTERM");
    }
  });

  it("takes over from a lost machine within 180 seconds, once its lock is older than any update, and removes no other lock", async () => {
    worker = await deployment.startWorker();
    let died = 0;
    atRequest(1, () => {
      died = performance.now();
      killer.kill();
    });
    await deployment.signUp("elsewhere", 8, "customers-4");
    await eventually(() => worker.hasEnded);
    const other = await deployment.startWorker();
    await sql`insert into pulumi.pulumi_state (key, data, updated_at)
      select replace(key, 'customers-4', 'customers-9'), data, now() - interval '1 hour'
      from pulumi.pulumi_state where key like '%/locks/%'`;
    await deployment.signUp("meanwhile-elsewhere", 1, "customers-3");
    await eventually(() => deployment.hasToken("meanwhile-elsewhere-1"));
    assert.doesNotMatch(other.output, /takes over/);
    assert.equal((await locks()).length, 2);
    await eventually(() => other.output.includes("customers-4: takes over"));
    const seconds = (performance.now() - died) / 1000;
    assert(seconds > 140 && seconds < 180, `${seconds} s`);
    await deployment.settle();
    assert.deepEqual(
      (await locks()).map(({ key }) => key.includes("customers-9")),
      [true],
    );
    await sql`delete from pulumi.pulumi_state where key like '%customers-9%'`;
  });

  it("moves customers to a new stack with their tokens, refuses a move that would delete them, and gives the next customer the place", async () => {
    const before = await currentTokens();
    const former = await sql<{ token: string }>`select token from dashboard_tokens
      join customers on id = customer_id where shard = 'customers-1' and valid_until is not null`;
    await sql`insert into shards values ('customers-5', 300)`;
    const move = "update customers set shard = 'customers-5' where shard = 'customers-1'";
    await assert.rejects(sql.unsafe(move), /before, set removed of stack customers-1 to 'retain'/);
    const retain = (removed: string) => `update shards set removed = '${removed}' where name = 'customers-1'`;
    await assert.rejects(
      sql.unsafe(`${retain("retain")}; ${move}; ${retain("delete")}`),
      /customers-1 hasn't released its customers yet/,
    );
    await sql.unsafe(`${retain("retain")}; ${move}`);
    await deployment.idle();
    assert.deepEqual(await currentTokens(), before);
    assert.match(deployment.output, /^customers-1: warning: .* without a resource, .*\[retained\]$/m);
    for (const { token } of former)
      deployment.emulator.removeGroup(groupOf(token)?.userGroupId ?? assert.fail("A former group is gone"));
    await sql.unsafe(retain("delete"));
    await sql`update shards set room = 1 where name <> 'customers-1'`;
    await deployment.signUp("next");
    await deployment.settle();
    const [next] = await sql<{ shard: string }>`select shard from customers where id = 'next-1'`;
    assert.equal(next?.shard, "customers-1");
  });

  it("brings up each hour only the stacks for which time has brought work, and sign-ups overtake them", async () => {
    const known = new Set<string>();
    /** Those that weren't known, in the order in which they started. */
    const newJobs = async () => {
      const jobs = await sql<{ id: string; priority: number; shard: string }>`select id, priority,
        data ->> 'shard' as shard from pgboss.job where name = 'stacks' order by started_on`;
      return jobs.filter(({ id }) => !known.has(id));
    };
    for (const { id } of await newJobs()) known.add(id);
    await deployment.hourly();
    await deployment.idle();
    assert.deepEqual(await newJobs(), []);
    await sql`update dashboard_tokens set valid_until = now() where md5(token) in (
      select min(md5(token)) from dashboard_tokens join customers on id = customer_id
      where valid_until is not null group by shard)`;
    const due = (await sql<{ shard: string }>`select shard from due`).map(({ shard }) => shard);
    assert(due.length >= 3 && !due.includes("customers-1"), due.join());
    await deployment.removeWorkers();
    worker = await deployment.startWorker();
    await deployment.hourly();
    await eventually(
      async () => (await sql`select from pgboss.job where state = 'active' and name = 'stacks'`).length > 0,
    );
    await deployment.signUp("overtaking", 1, "customers-1");
    await deployment.settle();
    const [first, overtaking, ...others] = (await newJobs()).map(({ priority, shard }) => ({
      priority,
      shard,
    }));
    assert.deepEqual(overtaking, { priority: 1, shard: "customers-1" });
    assert.deepEqual([first?.shard, ...others.map(({ shard }) => shard)].sort(), due.sort());
    assert.deepEqual(new Set([first, ...others].map((job) => job?.priority)), new Set([0]));
  });

  it("has every token again after the database was restored to an older state, by the commands of the page", async () => {
    await deployment.removeWorkers();
    const backedUp = await currentTokens();
    const restore = await deployment.database.backUp();
    worker = await deployment.startWorker();
    const rename = () => sql`update customers set name = 'Since the backup' where id in (
      select min(id) from customers where ends_at is null group by shard)`;
    await rename();
    await deployment.signUp("since");
    await deployment.settle();
    const [{ rotated } = assert.fail()] = await sql<{
      rotated: string;
    }>`select rotated::text from customers where id = 'since-1'`;
    const before = await currentTokens();
    await deployment.removeWorkers();
    // The time of those that the renamed customers had is over.
    const current = new Set(before.map(({ token }) => token));
    const ended = backedUp.filter(({ token }) => !current.has(token));
    assert(ended.length > 1);
    for (const { token } of ended) deployment.emulator.removeGroup(groupOf(token)?.userGroupId ?? "");
    await restore();
    const [refresh = ""] = snippetsOf("docs/scale.md", "sh");
    for (const { name } of await sql<{ name: string }>`select name from shards where size > 0`)
      await deployment.run(refresh.replaceAll("customers-1", name));
    await sql.unsafe(snippetsOf("docs/scale.md", "sql")[0] ?? "");
    worker = await deployment.startWorker();
    await deployment.idle();
    await rename();
    await sql`insert into customers (id, name, data_source, region, rotated) values ('since-1', 'since', 'shared', 'eu', ${rotated})`;
    await deployment.settle();
    assert.deepEqual(await currentTokens(), before);
  });

  it("keeps the last ten operations of each stack in the history", async () => {
    const sizes = await sql<{ size: number }>`select count(*)::int as size from pulumi.pulumi_state
      where key like '%/history/%' group by split_part(key, '/', 5)`;
    assert.equal(Math.max(...sizes.map(({ size }) => size)), 20);
  });

  it("answers an operator after all of this: nobody waits, no stack is stuck, and warnings of pg-boss are in the log", async () => {
    assert.deepEqual([await sql.unsafe(query(1)), await sql.unsafe(query(2))], [[], []]);
    assert.deepEqual([...(await sql`select from applying`), ...(await sql`select from due`)], []);
    await deployment.removeWorkers();
    await sql`update pgboss.queue set warning_queued = 1 where name = 'stacks'`;
    await sql`update customers set region = 'us' where region = 'eu' and id in (select min(id) from customers group by shard)`;
    worker = await deployment.startWorker();
    await eventually(() => /^pg-boss: warning: .*queue "stacks" has \d+ jobs/m.test(worker.output));
    await deployment.settle();
  });

  it("writes no token into the log of the database, which has each statement with its values", () => {
    const texts = readFileSync(deployment.database.log, "utf8");
    assert.match(texts, /copy state from stdin/);
    assert.match(texts, /Parameters: \$1 = 'customers-1'/i);
    for (const { token } of deployment.emulator.groups.values()) assert(!texts.includes(token));
  });
});

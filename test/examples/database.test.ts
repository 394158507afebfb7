/** The customers' life, from the first deployment to a state from a backup. Each test goes on where the one before it has ended. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { fails, requestsTo, succeeds, tokensOf } from "../engine/harness";
import { DatabaseExample } from "./databaseExample";
import { example } from "./example";

describe("examples/database", () => {
  let customers: DatabaseExample;
  before(async () => {
    customers = await DatabaseExample.start();
  });
  after(() => customers.remove());

  const up = async () => succeeds(await customers.stack.up());
  const deliver = async () => succeeds(await customers.deliver()).output.trim();
  const config = async (command: string) => succeeds(await customers.shell(`pulumi config ${command}`));
  const current = async () => {
    const rows = (await customers.rows()).filter(({ valid_until: until }) => until === null);
    return Object.fromEntries(rows.map(({ customer_id: id, token }) => [id, token]));
  };
  /** Each customer of the table has a group, and the application its token; there is no other token. */
  const assertSettled = async () => {
    const listed = await customers.sql<
      { id: string; name: string }[]
    >`select id, name from customers order by id`;
    const groups = [...customers.emulator.groups.values()];
    const tokens = listed.map(({ id, name }) => {
      const group = groups.find((each) => each.userGroupId.startsWith(`${id}~`) && each.name === name);
      return [id, group?.token];
    });
    assert.deepEqual(await current(), Object.fromEntries(tokens));
    assert.equal(groups.length, listed.length);
  };

  it("creates a group for each customer and delivers its token once", async () => {
    await up();
    assert.equal((await customers.page("acme")).isBlank, true);
    assert.equal(await deliver(), "Tokens: 0 removed, 3 written");
    assert.equal(await deliver(), "Tokens: 0 removed, 0 written");
    await assertSettled();
    assert.equal((await customers.page("acme")).isBlank, false);
  });

  it("reads and writes with roles that can do nothing else", async () => {
    const denied = /permission denied/;
    const { database } = customers;
    for (const [role, ...statements] of [
      ["customers_reader", "delete from customers", "select * from dashboard_tokens", "create table more ()"],
      ["tokens_writer", "select * from customers", "update customers set name = ''", "create table more ()"],
      ["tokens_reader", "delete from dashboard_tokens", "select * from customers"],
    ] as const) {
      const sql = postgres(database.url(role));
      for (const statement of statements)
        await assert.rejects(sql.unsafe(statement), denied, `${role}: ${statement}`);
      await sql.end();
    }
  });

  it("signs a customer up, and leaves the others alone", async () => {
    const former = await current();
    await customers.sql`insert into customers values ('hooli', 'Hooli', 'hooli-warehouse', 'us')`;
    await up();
    assert.equal(await deliver(), "Tokens: 0 removed, 1 written");
    const { hooli, ...others } = await current();
    assert.deepEqual(others, former);
    assert(customers.isValid(hooli ?? ""));
  });

  it("renames a customer while its page renders, and while one that was open before asks for the new token", async () => {
    const { token: former } = await customers.page("acme");
    await customers.sql`update customers set name = 'Acme International' where id = 'acme'`;
    await up();
    assert.deepEqual(await customers.page("acme"), { token: former, isBlank: false });
    assert.equal(await deliver(), "Tokens: 0 removed, 2 written");
    const { token, isBlank } = await customers.page("acme");
    assert.deepEqual([isBlank, token === former], [false, false]);
    assert.equal(await customers.renewed("acme", former), token);
    assert.equal(await customers.renewed("globex", former), 403);
    assert(customers.isValid(former));
  });

  it("rotates tokens on a schedule, and two merges before the delivery end none that a page has", async () => {
    await customers.sql`update customers set rotated = rotated - 100`;
    await up();
    await deliver();
    const { token: former } = await customers.page("globex");
    await customers.sql.unsafe(/```sql\n([^]*?)```/.exec(example("database")["README.md"] ?? "")?.[1] ?? "");
    await up();
    for (const region of ["eu", "us"]) {
      await customers.sql`update customers set region = ${region} where id = 'hooli'`;
      await up();
    }
    assert.deepEqual(await customers.page("globex"), { token: former, isBlank: false });
    await deliver();
    const { token } = await customers.page("globex");
    assert.equal(await customers.renewed("globex", former), token);
    assert(customers.isValid(former) && token !== former);
    succeeds(await customers.stack.preview({ flags: ["--expect-no-changes"] }));
  });

  it("ends former tokens when their time is over", async () => {
    const former = (await customers.rows()).filter(({ valid_until: until }) => until !== null);
    assert(former.length > 4);
    await config("set overlapHours 0");
    await up();
    assert.equal(await deliver(), `Tokens: ${former.length} removed, 0 written`);
    for (const { customer_id: id, token } of former) assert.equal(await customers.renewed(id, token), 403);
    await assertSettled();
    await config("rm overlapHours");
    await up();
  });

  it("off-boards a customer with its tokens", async () => {
    await customers.sql`delete from customers where id = 'initech'`;
    await up();
    assert.equal(await deliver(), "Tokens: 1 removed, 0 written");
    assert.equal((await customers.page("initech")).token, "");
    await assertSettled();
  });

  it("previews a pull request with the last list and without the database, and deploys nothing from it", async () => {
    const workflow = example("database")[".github/workflows/customers.yml"] ?? "";
    const env = { CUSTOMERS_URL: undefined, TOKENS_URL: undefined, USER_GROUPS_API_TOKEN: undefined };
    const commands = workflow.match(/(?<=- run: ).*last-list\.json.*/g) ?? [];
    const outputs: string[] = [];
    for (const command of commands) outputs.push(succeeds(await customers.shell(command, env)).output);
    assert.match(outputs.at(-1) ?? "", /2 unchanged/);
    const run = await customers.stack.up({ env: { CUSTOMERS_FILE: "last-list.json" } });
    fails(run, /CUSTOMERS_FILE is for previews only/);
    const older = '[{ "id": "acme" }, { "id": "globex" }]'.replaceAll(
      " }",
      ', "name": "A", "dataSource": "b", "region": "eu" }',
    );
    const old = await customers.shell(
      `echo '${older}' >old.json && CUSTOMERS_FILE=old.json pulumi preview`,
      env,
    );
    fails(old, /The customers can't be used: rotated .*\(customer "acme", "globex"\)$/m);
  });

  it("names a bad customer by its key, and refuses a list that is empty or was cut short, before any request", async () => {
    customers.emulator.clearRequests();
    const unchanged = async (change: postgres.PendingQuery<postgres.Row[]>, ...patterns: RegExp[]) => {
      await customers.sql`create table saved as select * from customers`;
      await change;
      for (const operation of ["preview", "up"] as const)
        fails(await customers.stack[operation](), ...patterns);
      await customers.sql`delete from customers`;
      await customers.sql`insert into customers select * from saved`;
      await customers.sql`drop table saved`;
    };
    const bad = /: name must be one line of text without spaces around it \(customer "globex"\)$/m;
    await unchanged(customers.sql`update customers set name = ' ' where id = 'globex'`, bad);
    await unchanged(customers.sql`delete from customers`, /The customers can't be used: there are none$/m);
    await config("set deletionLimit 1");
    await unchanged(customers.sql`delete from customers where id <> 'acme'`, /deletion-limit/);
    await config("rm deletionLimit");
    assert.deepEqual(requestsTo(customers.emulator), []);
  });

  it("fails clearly while the database is down, and loses nothing: before an up, in the middle of it, in a delivery", async () => {
    const down = /connect ECONNREFUSED|CONNECTION_CLOSED|CONNECTION_ENDED/;
    await customers.database.stop();
    fails(await customers.stack.up(), /The customers can't be used: /, down);
    await customers.database.start();
    const before = await customers.rows();
    await customers.sql`update customers set rotated = rotated + 1`;
    let stopped: Promise<void> | undefined;
    customers.onRequest = () => void (stopped ??= customers.database.stop());
    await up();
    await stopped;
    fails(await customers.deliver(), /^Not delivered: /, down);
    await customers.database.start();
    assert.deepEqual(await customers.rows(), before);
    const delivery = customers.deliver();
    await holding(customers);
    await customers.database.stop();
    fails(await delivery, /^Not delivered: /);
    await customers.database.start();
    assert.deepEqual(await customers.rows(), before);
    assert.equal(await deliver(), `Tokens: 0 removed, ${2 * before.length} written`);
  });

  it("runs one deployment at a time, and of two deliveries the one with the newer state writes last", async () => {
    const atOnce = "pulumi up --yes --skip-preview";
    const ended = await Promise.all([customers.shell(atOnce), customers.shell(atOnce)]);
    const refused = ended.filter(({ code }) => code !== 0);
    for (const each of refused) fails(each, /stack is currently locked/);
    assert(refused.length < 2);
    const other = await customers.sql.reserve();
    await other`begin`;
    await other`lock table dashboard_tokens in share row exclusive mode`;
    const impatient = `${customers.database.url("tokens_writer")}?lock_timeout=1`;
    fails(await customers.deliver({ TOKENS_URL: impatient }), /^Not delivered: .*lock timeout/);
    const waiting = customers.deliver();
    await customers.sql`update customers set rotated = rotated + 1 where id = 'acme'`;
    await up();
    await other`commit`;
    other.release();
    succeeds(await waiting);
    assert.equal(await deliver(), "Tokens: 0 removed, 0 written");
  });

  it("tells a group that somebody changed or deleted from a former one that waits, each night", async () => {
    const check = () => customers.shell("npm run --silent check");
    succeeds(await check());
    const { hooli } = await current();
    const group = [...customers.emulator.groups.values()].find(({ token }) => token === hooli);
    customers.emulator.removeGroup(group?.userGroupId ?? assert.fail("The group of hooli is gone"));
    fails(await check(), /Not delivered: the tokens differ/);
    await deliver();
    succeeds(await check());
  });

  it("finds every token again with yesterday's state", async () => {
    const { stack } = customers;
    succeeds(await stack.run(["stack", "export", "--file", "yesterday.json", "--stack", "dev"]));
    await customers.sql`update customers set name = name || ' Group', rotated = rotated + 1`;
    await customers.sql`insert into customers values ('soylent', 'Soylent', 'shared-eu', 'eu')`;
    await customers.sql`delete from customers where id = 'hooli'`;
    await up();
    await deliver();
    const delivered = await current();
    succeeds(await stack.run(["stack", "import", "--file", "yesterday.json", "--stack", "dev"]));
    await up();
    await deliver();
    assert.deepEqual(await current(), delivered);
    for (const id of Object.keys(delivered)) assert.equal((await customers.page(id)).isBlank, false);
  });

  it("writes no token into the log of the database or the list of processes", async () => {
    await customers.sql`update customers set rotated = rotated + 1`;
    await up();
    const running = new AbortController();
    const delivery = customers.deliver().finally(() => {
      running.abort();
    });
    const seen = new Set<string>();
    while (!running.signal.aborted) for (const command of await commandLines()) seen.add(command);
    succeeds(await delivery);
    const texts = [...seen, await fs.readFile(customers.database.log, "utf8")].join("\n");
    assert.match(texts, /pulumi stack export --show-secrets/);
    assert.match(texts, /copy state from stdin/);
    for (const { token } of await customers.rows()) assert(!texts.includes(token));
    for (const token of Object.values(tokensOf(customers.emulator))) assert(!texts.includes(token));
  });
});

/** Resolves when somebody has locked dashboard_tokens. */
async function holding({ sql }: DatabaseExample): Promise<void> {
  const locks = () => sql`select 1 from pg_locks where mode = 'ShareRowExclusiveLock' and granted`;
  while ((await locks()).length === 0);
}

/** Of all processes of this machine. */
async function commandLines(): Promise<string[]> {
  const ids = (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = (id: string) => fs.readFile(join("/proc", id, "cmdline"), "utf8").catch(() => "");
  return (await Promise.all(ids.map(read))).map((command) => command.replaceAll("\0", " "));
}

/** The customers' life, from the first deployment to a state from a backup. Each test goes on where the one before it has ended. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import type { Server } from "node:http";
import { Pool } from "pg";
import { newApplication } from "../../examples/database/application";
import { LocalDatabase } from "../../examples/database/test/localDatabase";
import { fails, newFixture, requestsTo, succeeds, tokensOf, type Environment } from "../support/engine";
import { snippetsOf } from "../pages/pages";
import { portOf } from "../support/harness/port";
import { run } from "../support/harness/run";
import { example, forkPipeline } from "./example";
import { newSql, type Sql } from "./sql";

/** A row of dashboard_tokens. */
interface Row {
  readonly customer_id: string;
  readonly token: string;
  readonly valid_until: Date | null;
}

const workflow = example("database")[".github/workflows/customers.yml"] ?? "";
const production = /(?<=run: )(npm run deliver|pulumi up .*)/g;

describe("examples/database", () => {
  let database: LocalDatabase;
  /** Of the owner of the database. */
  let sql: Sql;
  let application: Server;
  /** Called at each request to the service. */
  let onRequest = (): void => undefined;
  before("a PostgreSQL, and the application", async () => {
    database = await LocalDatabase.start();
    sql = newSql(database.url("owner"));
    const reader = new Pool({ connectionString: database.url("tokens_reader") });
    reader.on("error", () => undefined);
    application = newApplication(reader, ({ headers }) => String(headers["x-customer"]));
    application.listen(0, "127.0.0.1").on("close", () => void reader.end());
    await once(application, "listening");
  });
  const fixture = newFixture(
    () => ({
      program: { ...forkPipeline(), ...example("database") },
      env: {
        CUSTOMERS_URL: database.url("customers_reader"),
        ROTATION_URL: database.url("tokens_rotator"),
        TOKENS_URL: database.url("tokens_writer"),
      },
    }),
    {
      log: () => {
        onRequest();
      },
      // A JWT may be larger than an entry of an index.
      newToken: () => randomBytes(3000).toString("base64url"),
    },
  );
  after(async () => {
    application.closeAllConnections();
    application.close();
    await sql.end();
    await database.remove();
  });

  const up = async () => succeeds(await fixture.stack.up());
  /** Runs a command as a pipeline does. */
  const shell = (command: string, env: Environment = {}) => fixture.stack.shell(command, { env });
  const tryDelivery = (env: Environment = {}) => shell("npm run --silent deliver", env);
  const deliver = async () => succeeds(await tryDelivery()).output.trim();
  /** As the workflow does: delivery, `up`, delivery. */
  const deploy = (env: Environment = {}) =>
    shell((workflow.match(production) ?? []).join(" && ").replace("--yes", "--yes --skip-preview"), env);
  const rows = (): Promise<readonly Row[]> =>
    sql<Row>`select * from dashboard_tokens order by customer_id, valid_until nulls first`;
  const current = async () => {
    const valid = (await rows()).filter(({ valid_until: until }) => until === null);
    return Object.fromEntries(valid.map(({ customer_id: id, token }) => [id, token]));
  };
  const groups = () => [...fixture.emulator.groups.values()];
  const isValid = (token: string) => groups().some((group) => group.token === token);

  /** Lets more than `overlapHours` pass for all former groups. */
  const pass = async () => {
    const older = String.raw`sed -E 's/(until\\":\\")[^\\]+/\12000-01-01T00:00:00.000Z/g'`;
    succeeds(await shell(`pulumi stack export --show-secrets | ${older} | pulumi stack import`));
  };

  /** Lets the week of a customer who has left pass. */
  const passWeek = (customer: string) =>
    sql.unsafe(`alter table customers disable trigger user;
      update customers set ends_at = ends_at - interval '8 days' where id = '${customer}';
      alter table customers enable trigger user`);

  /** What the page of a customer has, and whether the service renders with it. */
  const page = async (customer: string) => {
    const response = await ask("/", { "x-customer": customer });
    const token = decodeURIComponent(/data-token="(.*)"/.exec(await response.text())?.[1] ?? "");
    return { token, isBlank: !isValid(token) };
  };
  /** What a page that is open gets for its token: the current one, or a status. */
  const renewed = async (customer: string, token: string) => {
    const headers = { "x-customer": customer, authorization: `Bearer ${token}` };
    const response = await ask("/token", headers);
    return response.status === 200 ? response.text() : response.status;
  };
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${portOf(application)}${path}`, { headers });

  /** Each customer of the table has a group, and the application its token; there is no other token. */
  const assertSettled = async () => {
    const listed = await sql<{ id: string; name: string }>`select id, name from customers order by id`;
    const tokens = listed.map(({ id, name }) => {
      const group = groups().find((each) => each.userGroupId.split("~")[0] === id && each.name === name);
      return [id, group?.token];
    });
    assert.deepEqual(await current(), Object.fromEntries(tokens));
    assert.equal(groups().length, listed.length);
  };

  it("imports the groups that a script created, with their tokens and without a request, and creates the others", async () => {
    const script = fixture.emulator.putGroup({ userGroupId: "acme", name: "Acme of the script" });
    const existing = { acme: { name: script.name, token: script.token } };
    await fixture.stack.program({ "existing.json": JSON.stringify(existing) });
    fixture.emulator.clearRequests();
    const [importing = ""] = snippetsOf("examples/database/README.md", "sh").filter((text) =>
      text.includes("import-file"),
    );
    assert.match(succeeds(await shell(importing)).output, /0 removed, 1 written/);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    assert.deepEqual(await page("acme"), { token: script.token, isBlank: false });
    assert.match(succeeds(await deploy()).output, /0 removed, 4 written/);
    assert.equal(await renewed("acme", script.token), (await page("acme")).token);
    assert(isValid(script.token));
    assert.equal(await deliver(), "Tokens: 0 removed, 0 written");
  });

  it("reads and writes with roles that can do nothing else", async () => {
    const denied = /permission denied/;
    for (const [role, ...statements] of [
      ["customers_reader", "delete from customers", "select * from dashboard_tokens", "create table more ()"],
      ["tokens_rotator", "select name from customers", "update customers set name = ''"],
      ["tokens_writer", "select * from customers", "update customers set name = ''", "create table more ()"],
      ["tokens_reader", "delete from dashboard_tokens", "select * from customers"],
    ] as const) {
      const limited = newSql(database.url(role));
      for (const statement of statements)
        await assert.rejects(limited.unsafe(statement), denied, `${role}: ${statement}`);
      await limited.end();
    }
  });

  it("signs a customer up, and leaves the others alone", async () => {
    const former = await current();
    await sql`insert into customers (id, name, data_source, region) values ('hooli', 'Hooli', 'hooli-warehouse', 'us')`;
    await up();
    assert.equal(await deliver(), "Tokens: 0 removed, 1 written");
    const { hooli, ...others } = await current();
    assert.deepEqual(others, former);
    assert(isValid(hooli ?? ""));
  });

  it("renames a customer while its page renders, and while one that was open before asks for the new token", async () => {
    const { token: former } = await page("acme");
    await sql`update customers set name = 'Acme International' where id = 'acme'`;
    await up();
    assert.deepEqual(await page("acme"), { token: former, isBlank: false });
    assert.equal(await deliver(), "Tokens: 0 removed, 2 written");
    const { token, isBlank } = await page("acme");
    assert.deepEqual([isBlank, token === former], [false, false]);
    assert.equal(await renewed("acme", former), token);
    assert.equal(await renewed("globex", former), 403);
    assert(isValid(former));
  });

  it("rotates tokens on a schedule, and two merges before the delivery end none that a page has", async () => {
    await sql`update customers set rotated = rotated - interval '100 days'`;
    await up();
    await deliver();
    const { token: former } = await page("globex");
    for (let night = 0; night < 2; night += 1) {
      const { output } = succeeds(await shell("npm run --silent rotate"));
      assert.equal(output, "Customers to get a new token: 1\n");
    }
    await up();
    for (const region of ["eu", "us"]) {
      await sql`update customers set region = ${region} where id = 'hooli'`;
      await up();
    }
    assert.deepEqual(await page("globex"), { token: former, isBlank: false });
    await deliver();
    const { token } = await page("globex");
    assert.equal(await renewed("globex", former), token);
    assert(isValid(former) && token !== former);
    succeeds(await fixture.stack.preview({ flags: ["--expect-no-changes"] }));
  });

  it("takes a rotation for the same in each time zone, and rotates a customer twice on one day", async () => {
    await sql.unsafe("alter role customers_reader set timezone = 'Asia/Tokyo'");
    succeeds(await fixture.stack.preview({ flags: ["--expect-no-changes"] }));
    const seen = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      await sql`update customers set rotated = now() where id = 'hooli'`;
      succeeds(await deploy());
      seen.add((await page("hooli")).token);
    }
    assert.equal(seen.size, 2);
  });

  it("ends the former tokens of a customer whose token leaked by two deployments, and those of nobody else", async () => {
    await sql`update customers set name = name || ' II' where id in ('acme', 'hooli')`;
    succeeds(await deploy());
    const leaked = await page("acme");
    const others = (await rows()).filter(({ customer_id: id }) => id !== "acme");
    await sql`update customers set leaked = true where id = 'acme'`;
    succeeds(await deploy());
    assert(isValid(leaked.token));
    assert.equal((await page("acme")).isBlank, false);
    succeeds(await deploy());
    const ofAcme = (await rows()).filter(({ customer_id: id }) => id === "acme");
    assert.deepEqual([ofAcme.length, isValid(leaked.token), (await page("acme")).isBlank], [1, false, false]);
    assert.deepEqual(
      (await rows()).filter(({ customer_id: id }) => id !== "acme"),
      others,
    );
    assert.deepEqual(await sql`select id from customers where leaked`, []);
    succeeds(await deploy());
  });

  it("renders each page while the delivery is broken for longer than former tokens are valid, because no up runs", async () => {
    const { token: former } = await page("acme");
    await sql`update customers set name = 'Acme, Inc.' where id = 'acme'`;
    await up();
    await pass();
    fails(await deploy({ TOKENS_URL: "postgres://127.0.0.1:1/none" }), /^Not delivered: /m);
    assert.deepEqual(await page("acme"), { token: former, isBlank: false });
    succeeds(await deploy());
    assert.deepEqual([(await page("acme")).isBlank, isValid(former)], [false, false]);
    await assertSettled();
  });

  it("takes back that customers left by mistake, whatever day was written, and off-boards one after a week", async () => {
    const before = await current();
    await sql`update customers set left_at = '2020-01-01' where id <> 'acme'`;
    succeeds(await deploy());
    await sql`update customers set left_at = null`;
    succeeds(await deploy());
    assert.deepEqual(await current(), before);
    await sql`update customers set left_at = now() where id = 'initech'`;
    await passWeek("initech");
    await up();
    fails(await deploy({ MAX_REMOVED: "0" }), /^Not delivered: 1 customers would lose their tokens/m);
    assert.equal(await deliver(), "Tokens: 1 removed, 0 written");
    assert.equal((await page("initech")).token, "");
    await sql`delete from customers where id = 'initech'`;
    await assertSettled();
  });

  it("refuses the tokens of another account before an up, and those of a second stack until they are accepted", async () => {
    const before = await rows();
    const staging = { PULUMI_STACK: "staging" };
    const account = { USER_GROUPS_API_TOKEN: fixture.emulator.addAccount().apiToken, ...staging };
    succeeds(await shell("pulumi stack select --create staging", staging));
    fails(await tryDelivery(staging), /of database\/dev at http:.*, and this stack has no user groups/);
    succeeds(await shell("pulumi up --yes --skip-preview", account));
    fails(await deploy(account), /of database\/dev at http:.*, and none that database\/staging at http:/);
    assert.deepEqual(await rows(), before);
    await sql`update dashboard_tokens set (stack, customer_id, token) = ('database/eu', 'eu-' || customer_id, 'eu-' || token)`;
    fails(await tryDelivery(), /none that database\/dev at .* set ACCEPT_STACK=database\/dev for one run/);
    succeeds(await tryDelivery({ ACCEPT_STACK: "database/dev" }));
    await sql`delete from dashboard_tokens where stack = 'database/eu'`;
    assert.deepEqual(await rows(), before);
  });

  it("previews a pull request with the last list and without the database, and deploys nothing from it", async () => {
    const env = { CUSTOMERS_URL: undefined, TOKENS_URL: undefined, USER_GROUPS_API_TOKEN: undefined };
    const commands = workflow.match(/(?<=- run: ).*last-list\.json.*/g) ?? [];
    const outputs: string[] = [];
    for (const command of commands) outputs.push(succeeds(await shell(command, env)).output);
    assert.match(outputs.at(-1) ?? "", /2 unchanged/);
    const [, reviewing = ""] = /- id: review\n\s+run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
    const ofJob = { ...env, GITHUB_STEP_SUMMARY: "summary.md", GITHUB_OUTPUT: "output.txt" };
    const reviewed = succeeds(await shell(`${reviewing} cat summary.md output.txt`, ofJob)).stdout;
    assert.match(reviewed, /No customer changes\.\nreview<<(\S+)\n[^]*No customer changes\.\n\1\n$/);
    succeeds(await shell("pulumi stack export | node ci/base-state.mjs > base-state.json"));
    const forked = "STACK=dev bash ci/preview.sh base-state.json";
    assert.match(succeeds(await shell(forked, env)).output, /2 unchanged/);
    const deployed = await fixture.stack.up({ env: { CUSTOMERS_FILE: "last-list.json" } });
    fails(deployed, /CUSTOMERS_FILE is for previews only/);
  });

  it("names a bad customer by its key, and refuses a list that is empty or was cut short, before any request", async () => {
    fixture.emulator.clearRequests();
    const env = { MAX_REMOVED: "1" };
    const unchanged = async (change: string, ...patterns: RegExp[]) => {
      await sql`create table saved as select * from customers`;
      await sql.unsafe(change);
      for (const operation of ["preview", "up"] as const)
        fails(await fixture.stack[operation]({ env }), ...patterns);
      await sql`delete from customers`;
      await sql`insert into customers select * from saved`;
      await sql`drop table saved`;
    };
    const bad = /: name must be one line of text without spaces around it \(customer "globex", 1 in all\)$/m;
    await unchanged("update customers set name = ' ' where id = 'globex'", bad);
    await unchanged("delete from customers", /The customers can't be used: there are none$/m);
    await unchanged("delete from customers where id <> 'acme'", /deletion-limit/);

    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("fails clearly while the database is down, and loses nothing: before an up, in the middle of it, in a delivery", async () => {
    const down = /connect ECONNREFUSED|Connection terminated/;
    await database.stop();
    fails(await fixture.stack.up(), /The customers can't be used: /, down);
    await database.start();
    const before = await rows();
    await sql`update customers set rotated = rotated + interval '1 second'`;
    let stopped: Promise<void> | undefined;
    onRequest = () => void (stopped ??= database.stop());
    await up();
    await stopped;
    fails(await tryDelivery(), /^Not delivered: /, down);
    await database.start();
    assert.deepEqual(await rows(), before);
    const delivery = tryDelivery();
    const locks = () => sql`select 1 from pg_locks where mode = 'ShareRowExclusiveLock' and granted`;
    while ((await locks()).length === 0);
    await database.stop();
    fails(await delivery, /^Not delivered: /);
    await database.start();
    assert.deepEqual(await rows(), before);
    assert.equal(await deliver(), `Tokens: 0 removed, ${2 * before.length} written`);
  });

  it("runs one deployment at a time, and of two deliveries the one with the newer state writes last", async () => {
    const atOnce = "pulumi up --yes --skip-preview";
    const ended = await Promise.all([shell(atOnce), shell(atOnce)]);
    const refused = ended.filter(({ code }) => code !== 0);
    for (const each of refused) fails(each, /stack is currently locked/);
    assert(refused.length < 2);
    const other = await sql.reserve();
    await other`begin`;
    await other`lock table dashboard_tokens in share row exclusive mode`;
    const impatient = `${database.url("tokens_writer")}&lock_timeout=1`;
    fails(await tryDelivery({ TOKENS_URL: impatient }), /^Not delivered: .*lock timeout/);
    const waiting = tryDelivery();
    await sql`update customers set rotated = rotated + interval '1 second' where id = 'acme'`;
    await up();
    await other`commit`;
    other.release();
    succeeds(await waiting);
    assert.equal(await deliver(), "Tokens: 0 removed, 0 written");
  });

  it("tells a group that somebody changed or deleted from a former one that waits, each night", async () => {
    const check = "npm run --silent check";
    const checkDrift = "STACK=dev bash ci/drift.sh";
    await pass();
    succeeds(await shell(checkDrift));
    await up();
    const { hooli } = await current();
    const group = groups().find(({ token }) => token === hooli);
    fixture.emulator.removeGroup(group?.userGroupId ?? assert.fail("The group of hooli is gone"));
    fails(await shell(checkDrift), /found other tokens/);
    fails(await shell(check), /Not delivered: the tokens differ/);
    await deliver();
    succeeds(await shell(`${check} && ${checkDrift}`));
  });

  it("finds every token again with yesterday's state", async () => {
    const { stack } = fixture;
    succeeds(await stack.run(["stack", "export", "--file", "yesterday.json", "--stack", "dev"]));
    await sql`update customers set name = name || ' Group', rotated = rotated + interval '1 second'`;
    await sql`insert into customers (id, name, data_source, region) values ('soylent', 'Soylent', 'shared-eu', 'eu')`;
    await sql`delete from customers where id = 'hooli'`;
    await up();
    await deliver();
    const delivered = await current();
    succeeds(await stack.run(["stack", "import", "--file", "yesterday.json", "--stack", "dev"]));
    await up();
    await deliver();
    assert.deepEqual(await current(), delivered);
    for (const id of Object.keys(delivered)) assert.equal((await page(id)).isBlank, false);
  });

  it("writes no token into the log of the database or the list of processes", async () => {
    await sql`update customers set rotated = rotated + interval '1 second'`;
    await up();
    const running = new AbortController();
    const delivery = tryDelivery().finally(() => {
      running.abort();
    });
    let seen = "";
    while (!running.signal.aborted) seen += (await run("ps", ["axww", "-o", "args="])).stdout;
    succeeds(await delivery);
    const texts = seen + (await fs.readFile(database.log, "utf8"));
    assert.match(texts, /pulumi stack export --show-secrets/);
    assert.match(texts, /copy state from stdin/);
    for (const { token } of await rows()) assert(!texts.includes(token));
    for (const token of Object.values(tokensOf(fixture.emulator))) assert(!texts.includes(token));
  });
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { z } from "zod";
import {
  fails,
  isSecret,
  newFixture,
  requestsTo,
  succeeds,
  tokensOf,
  type Environment,
  type Result,
} from "../engine/harness";
import { startDatabase, type Database } from "./database";
import { example } from "./example";

const { "customers.sql": table = "", ...program } = example("tenants");
const password = randomUUID();

describe("examples/tenants, from PostgreSQL", () => {
  const fixture = newFixture(() => ({
    program,
    config: { "tenants:source": "database" },
    secrets: [password],
    patience: 300,
  }));
  let database: Database;
  let client: Client;
  let url: string;
  before("a database with the customers, and a user that may only read them", async () => {
    database = await startDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(table);
    await client.query(
      `CREATE ROLE reader LOGIN PASSWORD '${password}'; GRANT SELECT ON customers TO reader`,
    );
    url = urlWith({ username: "reader", password });
    succeeds(await up());
  });
  after("its end", async () => {
    await client.end();
    await database.stop();
  });

  it("creates a group for each row", async () => {
    assert.equal(fixture.emulator.groups.size, 4);
    const { name, mapping, properties } = fixture.emulator.groups.get("globex") ?? {};
    assert.deepEqual(
      [name, mapping, properties],
      ["Globex, Inc.", { sales: "globex-warehouse" }, { region: "us", seats: 10 }],
    );
    assert.deepEqual(await tokensOutput(), tokensOf(fixture.emulator));
  });

  it("creates a group for an added row, and deletes that of a removed row", async () => {
    const { acme } = tokensOf(fixture.emulator);
    await client.query("INSERT INTO customers VALUES ('hooli', 'Hooli', 'shared-eu', 'eu', 1)");
    await client.query("DELETE FROM customers WHERE id = 'initech'");
    fixture.emulator.clearRequests();
    succeeds(await up());
    assert.deepEqual(requestsTo(fixture.emulator).sort(), [
      'DELETE "initech" deleted 200',
      'GET "hooli" created 200',
    ]);
    const tokens = await tokensOutput();
    assert.deepEqual([tokens, tokens["acme"]], [tokensOf(fixture.emulator), acme]);
  });

  it("names each bad row in the preview, without a stack, and sends no request", async () => {
    await client.query("UPDATE customers SET seats = 0, region = 'mars' WHERE id = 'globex'");
    const refused = await preview();
    const place = String.raw`row 2 \(id "globex"\)`;
    fails(
      refused,
      new RegExp(`can't be used:\\s+${place}: region must be "eu" or "us"\\s+${place}: seats must be`),
    );
    assert.deepEqual(requestsTo(fixture.emulator), []);
    await client.query("UPDATE customers SET seats = 10, region = 'us' WHERE id = 'globex'");
  });

  it("refuses an empty table, and one that lost more rows than deletionLimit", async () => {
    await client.query("CREATE TABLE aside AS TABLE customers; DELETE FROM customers WHERE id <> 'acme'");
    fails(await preview(), /would delete 3 user groups.*deletionLimit is 2.*\[deletion-limit\]/);
    await client.query("DELETE FROM customers");
    fails(await preview(), /The database of CUSTOMERS_DATABASE_URL can't be used:\s+it has no customers$/m);
    assert.deepEqual([requestsTo(fixture.emulator), fixture.emulator.groups.size], [[], 4]);
    await client.query("INSERT INTO customers TABLE aside");
  });

  it("says in one error why the database can't be read, without its address and password", async () => {
    const secret = randomUUID();
    const reasons: (readonly [string | undefined, RegExp])[] = [
      [urlWith({ port: "1", password: secret }), /ECONNREFUSED$/m],
      [
        urlWith({ username: "reader", password: secret }),
        /password authentication failed for user "reader"$/m,
      ],
      [`postgres://reader:${secret}#@`, /ERR_INVALID_URL$/m],
      [undefined, /Set CUSTOMERS_DATABASE_URL to the address/],
    ];
    for (const [address, reason] of reasons) {
      const refused = fails(await preview({ CUSTOMERS_DATABASE_URL: address }), reason);
      assert.equal(refused.diagnostics.filter(({ severity }) => severity === "error").length, 1);
      assert(!refused.output.includes(secret));
    }
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("holds the tokens of 3,000 customers in one secret output", async () => {
    await client.query(
      `INSERT INTO customers SELECT 'customer-' || n, 'Customer ' || n, 'shared-eu', 'eu', n FROM generate_series(1, 2996) n`,
    );
    succeeds(await up());
    const tokens = await tokensOutput();
    assert.equal(Object.keys(tokens).length, 3000);
    assert.deepEqual(tokens, tokensOf(fixture.emulator));
    const { outputs } = await fixture.stack.resource("tenants-dev");
    assert(isSecret(outputs["tokens"]));
  });

  const up = () => fixture.stack.up({ env: { CUSTOMERS_DATABASE_URL: url } });
  const preview = (env: Environment = { CUSTOMERS_DATABASE_URL: url }): Promise<Result> => {
    fixture.emulator.clearRequests();
    return fixture.stack.preview({ env });
  };
  const urlWith = (parts: Partial<Pick<URL, "username" | "password" | "port">>) =>
    Object.assign(new URL(database.url), parts).href;
  const tokensOutput = async () => {
    const { tokens } = await fixture.stack.plainOutputs();
    return z.record(z.string(), z.string()).parse(JSON.parse(String(tokens)));
  };
});

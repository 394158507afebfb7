/** examples/database with 2,000 customers, copied and installed from the packed package. Prints the time of each step. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { succeeds } from "../../engine/harness";
import { DatabaseExample } from "../databaseExample";
import { installExample } from "../example";

const up = "pulumi up --yes --suppress-outputs";
const deliver = "npm run --silent deliver";

describe("examples/database with 2,000 customers", () => {
  let folder: string;
  let customers: DatabaseExample;
  before(async () => {
    folder = await installExample("database");
    customers = await DatabaseExample.start(join(folder, "node_modules"));
  });
  after(async () => {
    await customers.remove();
    await fs.rm(folder, { recursive: true });
  });

  /** Runs a command and prints its time. */
  const timed = async (step: string, command: string): Promise<string> => {
    const start = performance.now();
    const { output } = succeeds(await customers.shell(command));
    console.log(`      ${step.padEnd(46)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return output;
  };

  it("deploys, delivers, rotates and off-boards them", async () => {
    const { sql, emulator } = customers;
    await sql`insert into customers select 'customer-' || n, 'Customer ' || n, 'shared-eu', 'eu' from generate_series(4, 2000) n`;
    await timed("first up", up);
    assert.match(await timed("its delivery", deliver), /0 removed, 2000 written/);
    assert.match(await timed("up without a change", up), /2 unchanged/);
    assert.match(await timed("delivery without a change", deliver), /0 removed, 0 written/);
    await sql`insert into customers values ('hooli', 'Hooli', 'shared-eu', 'eu')`;
    await timed("up with one customer more", up);
    assert.match(await timed("its delivery", deliver), /0 removed, 1 written/);
    await sql`update customers set rotated = rotated + 1`;
    await customers.shell("pulumi config set deletionLimit 2001");
    await timed("up with a new token for each", up);
    assert.match(await timed("its delivery", deliver), /0 removed, 4002 written/);
    await timed("nightly check", "npm run --silent check");
    await sql`delete from customers where id = 'hooli'`;
    await customers.shell("pulumi config set overlapHours 0");
    await timed("up that ends all former tokens", up);
    assert.match(await timed("its delivery", deliver), /2002 removed, 0 written/);
    assert.equal(emulator.groups.size, 2000);
    for (const { token } of await customers.rows()) assert(customers.isValid(token));
  });
});

/** Writes the tokens of a stack's state into dashboard_tokens, in one transaction. */
import { execFileSync } from "node:child_process";
import { pipeline } from "node:stream/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { Sql } from "postgres";

export async function deliver(sql: Sql, stack: Stack): Promise<void> {
  await sql.begin(async (sql) => {
    // Locked before the state is read, so that of two deliveries the one with the newer state writes last.
    await sql`select pg_advisory_xact_lock(hashtext(${stack.name}))`;
    const state = await stack.exportStack();
    const resources: { outputs?: { groups?: object } }[] = state.deployment.resources ?? [];
    const hasGroups = resources.some(({ outputs }) => Object.keys(outputs?.groups ?? {}).length > 0);
    // Through pipes, so that no file, no argument of a process and no log of the server has a token.
    const options = { input: JSON.stringify(state), maxBuffer: Infinity };
    const csv = hasGroups ? execFileSync("pulumi-user-groups", ["tokens", "--csv"], options) : "";
    await sql`create temporary table state (customer_id text, token text, valid_until timestamptz) on commit drop`;
    await pipeline([csv], await sql`copy state from stdin (format csv)`.writable());
    // A customer who moved is the other stack's.
    await sql`delete from state where customer_id not in (select id from customers where shard = ${stack.name})`;
    // The last token of a customer goes when the customer does, so no state leaves anybody without one.
    await sql`delete from dashboard_tokens using customers where id = customer_id and shard = ${stack.name}
      and (customer_id, token) not in (select customer_id, token from state)
      and (id in (select customer_id from state) or id not in (select id from served))`;
    // Former tokens first, because a customer has one current token at a time.
    await sql`insert into dashboard_tokens select * from state order by valid_until
      on conflict (customer_id, token) do update set valid_until = excluded.valid_until
      where dashboard_tokens.valid_until is distinct from excluded.valid_until`;
  });
}

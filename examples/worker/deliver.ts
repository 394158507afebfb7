/** Writes the tokens of a stack's state into dashboard_tokens, in one transaction. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { z } from "zod";
import { transaction } from "./database.ts";

const command = join(import.meta.dirname, "node_modules/.bin/pulumi-user-groups");

const group = z.object({ keepers: z.object({ rotated: z.string().optional() }).default({}) });
const deployment = z.object({
  resources: z
    .array(z.object({ outputs: z.object({ groups: z.record(z.string(), group).default({}) }).optional() }))
    .default([]),
  pending_operations: z.array(z.object({ type: z.string() })).default([]),
});

/** What else a worker wants to know of the state. */
export interface Delivered {
  /** userGroupId → the time of the keeper of the current group. */
  rotated: Record<string, string | undefined>;
  /** What an `up` has begun and not ended, such as "creating". Empty unless it was killed. */
  pending: string[];
}

export function deliver(pool: Pool, stack: Stack): Promise<Delivered> {
  return transaction(pool, async (client) => {
    // Locked before the state is read, so that of two deliveries the one with the newer state writes last.
    await client.query("select pg_advisory_xact_lock(hashtext($1))", [stack.name]);
    const state = await stack.exportStack();
    const { resources, pending_operations: pending } = deployment.parse(state.deployment);
    const groups = resources.flatMap(({ outputs }) => Object.entries(outputs?.groups ?? {}));
    const rotated = Object.fromEntries(groups.map(([id, { keepers }]) => [id, keepers.rotated]));
    await write(client, stack.name, groups.length > 0 ? await tokensOf(state) : "");
    await endLeaks(client, stack.name, rotated);
    return { rotated, pending: pending.map(({ type }) => type) };
  });
}

/** As CSV. Through pipes, so that no file and no argument of a process has a token. */
async function tokensOf(state: object): Promise<string> {
  const tokens = promisify(execFile)(command, ["tokens", "--csv"], { maxBuffer: Infinity });
  tokens.child.stdin?.end(JSON.stringify(state));
  return (await tokens).stdout;
}

async function write(client: PoolClient, shard: string, csv: string): Promise<void> {
  await client.query(
    "create temporary table state (customer_id text, token text, valid_until timestamptz) on commit drop",
  );
  // COPY, because a server may log statements with their parameters.
  await pipeline(Readable.from([csv]), client.query(copyFrom("copy state from stdin (format csv)")));
  // The other stack delivers the tokens of customers who have moved to it.
  await client.query(
    "delete from state where customer_id not in (select id from customers where shard = $1)",
    [shard],
  );
  // The last token of a customer goes when the customer does, so no state leaves anybody without one.
  await client.query(
    `delete from dashboard_tokens using customers where id = customer_id and shard = $1
      and (customer_id, token) not in (select customer_id, token from state)
      and (id in (select customer_id from state) or id not in (select id from served))`,
    [shard],
  );
  // Former tokens first, because a customer has one current token at a time.
  await client.query(
    `insert into dashboard_tokens select * from state order by valid_until
      on conflict (customer_id, md5(token)) do update set valid_until = excluded.valid_until
      where dashboard_tokens.valid_until is distinct from excluded.valid_until`,
  );
}

/** A leak is over once the state has a group that was created after it, and no former one. */
async function endLeaks(client: PoolClient, shard: string, rotated: Delivered["rotated"]): Promise<void> {
  await client.query(
    `update customers set leaked = false from served where customers.id = served.id and customers.leaked
      and customers.shard = $1 and rotated_utc = $2::jsonb ->> served.id
      and customers.id not in (select customer_id from state where valid_until is not null)`,
    [shard, JSON.stringify(rotated)],
  );
}

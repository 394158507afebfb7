/**
 * Writes the tokens of the stack's state into dashboard_tokens of the database at TOKENS_URL, in one transaction. With `--check`, it fails
 * if there is anything to write. PULUMI_STACK is the stack.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import postgres, { type TransactionSql } from "postgres";

/** Through pipes, so that no file and no argument of a process has a token. */
const readTokens = "pulumi stack export --show-secrets | pulumi-user-groups tokens --csv";

deliver(process.argv.includes("--check")).catch((error: unknown) => {
  console.error(`Not delivered: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function deliver(isCheck: boolean): Promise<void> {
  const { TOKENS_URL: url } = process.env;
  if (!url) throw new Error("set TOKENS_URL");
  const sql = postgres(url, { max: 1, connect_timeout: 10, connection: { lock_timeout: 60_000 } });
  try {
    await sql.begin(async (transaction) => {
      // Before the state is read, so that of two deliveries the one with the newer state writes last.
      await transaction`lock table dashboard_tokens in share row exclusive mode`;
      await copyState(transaction);
      const { removed, written } = await write(transaction);
      if (isCheck && removed + written > 0) throw new Error("the tokens differ, so run npm run deliver");
      console.log(`Tokens: ${removed} removed, ${written} written`);
    });
  } finally {
    await sql.end();
  }
}

/** COPY, because a server may log the parameters of other statements. */
async function copyState(sql: TransactionSql): Promise<void> {
  await sql`create temporary table state (like dashboard_tokens) on commit drop`;
  const tokens = spawn(readTokens, { shell: true, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(tokens, "close");
  await pipeline(tokens.stdout, await sql`copy state from stdin (format csv)`.writable());
  await closed;
  if (tokens.exitCode !== 0) throw new Error("the state has no tokens");
}

async function write(sql: TransactionSql): Promise<{ removed: number; written: number }> {
  const { count: removed } = await sql`delete from dashboard_tokens
    where (customer_id, token) not in (select customer_id, token from state)`;
  // Former tokens first, because a customer has one current token at a time.
  const { count: written } = await sql`insert into dashboard_tokens select * from state order by valid_until
    on conflict (customer_id, token) do update set valid_until = excluded.valid_until
    where dashboard_tokens.valid_until is distinct from excluded.valid_until`;
  return { removed, written };
}

/**
 * Writes the tokens of the stack's state into dashboard_tokens of the database at TOKENS_URL, in one transaction. With `--check`, it fails
 * if there is anything to write. PULUMI_STACK is the stack.
 */
import { exec } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
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
  const connection = { lock_timeout: 60_000 };
  const sql = postgres(url, { max: 1, connect_timeout: 10, connection, onnotice: () => undefined });
  try {
    const { removed, written } = await sql.begin(async (transaction) => {
      const changes = await write(transaction);
      if (isCheck && changes.removed + changes.written > 0)
        throw new Error("the tokens differ, so run npm run deliver");
      return changes;
    });
    console.log(`Tokens: ${removed} removed, ${written} written`);
  } finally {
    await sql.end();
  }
}

async function write(sql: TransactionSql): Promise<{ removed: number; written: number }> {
  // Locked before the state is read, so that of two deliveries the one with the newer state writes last.
  await sql`lock table dashboard_tokens in share row exclusive mode`;
  const { stdout } = await promisify(exec)(readTokens, { maxBuffer: Infinity });
  await sql`create temporary table state (like dashboard_tokens) on commit drop`;
  // COPY, because a server may log the parameters of other statements.
  await pipeline([stdout], await sql`copy state from stdin (format csv)`.writable());
  const { count: removed } = await sql`delete from dashboard_tokens
    where (customer_id, token) not in (select customer_id, token from state)`;
  // Former tokens first, because a customer has one current token at a time.
  const { count: written } = await sql`insert into dashboard_tokens select * from state order by valid_until
    on conflict (customer_id, token) do update set valid_until = excluded.valid_until
    where dashboard_tokens.valid_until is distinct from excluded.valid_until`;
  return { removed, written };
}

/**
 * Writes the tokens of the stack's state into dashboard_tokens of the database at TOKENS_URL, in one transaction. With `--check`, it fails
 * if there is anything to write. PULUMI_STACK is the stack. Two mistakes are refused: the state of another stack than the table's, unless
 * ACCEPT_STACK names it, and a state that leaves more than MAX_REMOVED (20) customers without a token.
 */
import { exec } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import postgres, { type TransactionSql } from "postgres";
import { z } from "zod";

const { TOKENS_URL: url, ACCEPT_STACK: acceptedStack, MAX_REMOVED: maxRemoved = "20" } = process.env;

const exportedState = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({ urn: z.string(), outputs: z.object({ baseUrl: z.unknown().optional() }).default({}) }),
      )
      .default([]),
  }),
});

/** The tokens of a stack, of which the service at one address has the groups. */
interface State {
  readonly stack: string;
  readonly service: string;
  readonly csv: string;
}

deliver(process.argv.includes("--check")).catch((error: unknown) => {
  console.error(`Not delivered: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function deliver(isCheck: boolean): Promise<void> {
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
  const { stack, service, csv } = await readState();
  await sql`create temporary table state (customer_id text, token text, valid_until timestamptz) on commit drop`;
  // COPY, because a server may log the parameters of other statements.
  await pipeline([csv], await sql`copy state from stdin (format csv)`.writable());
  await assertSameStack(sql, stack, service);
  await assertFewRemoved(sql, stack);
  const { count: removed } = await sql`delete from dashboard_tokens
    where stack = ${stack} and (customer_id, token) not in (select customer_id, token from state)`;
  // Former tokens first, because a customer has one current token at a time.
  const { count: written } = await sql`insert into dashboard_tokens
    select customer_id, token, valid_until, ${stack}, ${service} from state order by valid_until
    on conflict (customer_id, token) do update set (valid_until, stack, service) = row (excluded.valid_until, excluded.stack, excluded.service)
    where dashboard_tokens is distinct from excluded`;
  return { removed, written };
}

/** Through pipes, so that no file and no argument of a process has a token. */
async function readState(): Promise<State> {
  const run = promisify(exec);
  const { stdout: exported } = await run("pulumi stack export --show-secrets", { maxBuffer: Infinity });
  const { resources } = exportedState.parse(JSON.parse(exported)).deployment;
  const groups = resources.find(({ urn }) => /user-groups:(index:)?UserGroups?::/.test(urn));
  // Before its first `up`, a stack has nothing to deliver.
  if (!groups) return { stack: "", service: "", csv: "" };
  const tokens = run("pulumi-user-groups tokens --csv", { maxBuffer: Infinity });
  tokens.child.stdin?.end(exported);
  const { stdout: csv } = await tokens;
  const [stack = "", project = ""] = groups.urn.replace("urn:pulumi:", "").split("::");
  return { stack: `${project}/${stack}`, service: String(groups.outputs.baseUrl), csv };
}

/** A token that both have shows that they are of one account of one service. */
async function assertSameStack(sql: TransactionSql, stack: string, service: string): Promise<void> {
  const sources = await sql`select distinct stack, service from dashboard_tokens`;
  const { count } = await sql`select from dashboard_tokens join state using (customer_id, token) limit 1`;
  if (sources.length === 0 || count > 0 || (stack && stack === acceptedStack)) return;
  const theirs = sources.map((source) => Object.values(source).join(" at "));
  const table = `the table has tokens of ${theirs.join(" and ")}`;
  if (!stack)
    throw new Error(
      `${table}, and this stack has no user groups. If its state was lost, run pulumi up before`,
    );
  throw new Error(
    `${table}, and none that ${stack} at ${service} has. To deliver these too, set ACCEPT_STACK=${stack} for one run`,
  );
}

async function assertFewRemoved(sql: TransactionSql, stack: string): Promise<void> {
  const { count } = await sql`select from dashboard_tokens where stack = ${stack} and valid_until is null
    and customer_id not in (select customer_id from state where valid_until is null)`;
  // Also false if MAX_REMOVED isn't a number.
  if (count <= Number(maxRemoved)) return;
  throw new Error(
    `${count} customers would lose their tokens. If they have left, set MAX_REMOVED=${count} for one run`,
  );
}

/**
 * Writes the tokens of the stack's state into dashboard_tokens of the database at TOKENS_URL, in one transaction. With `--check`, it fails
 * if there is anything to write. PULUMI_STACK is the stack. Two mistakes are refused: the state of another stack than the table's, unless
 * ACCEPT_STACK names it, and a state that leaves more than MAX_REMOVED (20) customers without a token.
 */
import { exec } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { z } from "zod";

const { TOKENS_URL: url, ACCEPT_STACK: acceptedStack, MAX_REMOVED: maxRemoved = "20" } = process.env;

const group = z.object({ keepers: z.object({ rotated: z.string().optional() }).default({}) });
const outputs = z.object({
  baseUrl: z.unknown().optional(),
  groups: z.record(z.string(), group).default({}),
});
const exportedState = z.object({
  deployment: z.object({
    resources: z.array(z.object({ urn: z.string(), outputs: z.unknown().optional() })).default([]),
  }),
});

/** The tokens of a stack, of which the service at one address has the groups. */
interface State {
  readonly stack: string;
  readonly service: string;
  readonly csv: string;
  /** userGroupId → the time of the keeper of the current group. */
  readonly rotated: Readonly<Record<string, string | undefined>>;
}

deliver(process.argv.includes("--check")).catch((error: unknown) => {
  console.error(`Not delivered: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function deliver(isCheck: boolean): Promise<void> {
  if (!url) throw new Error("set TOKENS_URL");
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, lock_timeout: 60_000 });
  // A connection that breaks between two statements throws, unless somebody listens. The next statement fails then.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin");
    const { removed, written } = await write(client);
    if (isCheck && removed + written > 0) throw new Error("the tokens differ, so run npm run deliver");
    await client.query("commit");
    console.log(`Tokens: ${removed} removed, ${written} written`);
  } finally {
    // Without a commit, it rolls back.
    await client.end();
  }
}

async function write(client: Client): Promise<{ removed: number; written: number }> {
  // Locked before the state is read, so that of two deliveries the one with the newer state writes last.
  await client.query("lock table dashboard_tokens in share row exclusive mode");
  const { stack, service, csv, rotated } = await readState();
  await client.query(
    "create temporary table state (customer_id text, token text, valid_until timestamptz) on commit drop",
  );
  // COPY, because a server may log statements with their parameters.
  await pipeline(Readable.from([csv]), client.query(copyFrom("copy state from stdin (format csv)")));
  await assertSameStack(client, stack, service);
  await assertFewRemoved(client, stack);
  const { rowCount: removed } = await client.query(
    `delete from dashboard_tokens
      where stack = $1 and (customer_id, token) not in (select customer_id, token from state)`,
    [stack],
  );
  // Former tokens first, because a customer has one current token at a time.
  const { rowCount: written } = await client.query(
    `insert into dashboard_tokens select customer_id, token, valid_until, $1, $2 from state order by valid_until
      on conflict (customer_id, md5(token)) do update
      set (valid_until, stack, service) = row (excluded.valid_until, excluded.stack, excluded.service)
      where dashboard_tokens is distinct from excluded`,
    [stack, service],
  );
  // A leak is over once the state has a group that was created after it, and no former one.
  await client.query(
    `update customers set leaked = false from served where customers.id = served.id and customers.leaked
      and rotated_utc = $1::jsonb ->> served.id
      and customers.id not in (select customer_id from state where valid_until is not null)`,
    [JSON.stringify(rotated)],
  );
  return { removed: removed ?? 0, written: written ?? 0 };
}

/** Through pipes, so that no file and no argument of a process has a token. */
async function readState(): Promise<State> {
  const run = promisify(exec);
  const { stdout: exported } = await run("pulumi stack export --show-secrets", { maxBuffer: Infinity });
  const { resources } = exportedState.parse(JSON.parse(exported)).deployment;
  const groups = resources.find(({ urn }) => /user-groups:(index:)?UserGroups?::/.test(urn));
  // Before its first `up`, a stack has nothing to deliver.
  if (!groups) return { stack: "", service: "", csv: "", rotated: {} };
  const tokens = run("pulumi-user-groups tokens --csv", { maxBuffer: Infinity });
  tokens.child.stdin?.end(exported);
  const { stdout: csv } = await tokens;
  const [stack = "", project = ""] = groups.urn.replace("urn:pulumi:", "").split("::");
  const { baseUrl, groups: stored } = outputs.parse(groups.outputs);
  const rotated = Object.fromEntries(
    Object.entries(stored).map(([id, { keepers }]) => [id, keepers.rotated]),
  );
  return { stack: `${project}/${stack}`, service: String(baseUrl), csv, rotated };
}

/** A token that both have shows that they are of one account of one service. */
async function assertSameStack(client: Client, stack: string, service: string): Promise<void> {
  const { rows: sources } = await client.query<Record<string, string>>(
    "select distinct stack, service from dashboard_tokens",
  );
  const { rowCount: shared } = await client.query(
    "select from dashboard_tokens join state using (customer_id, token) limit 1",
  );
  if (sources.length === 0 || shared === 1 || (stack && stack === acceptedStack)) return;
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

async function assertFewRemoved(client: Client, stack: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from dashboard_tokens where stack = $1 and valid_until is null
      and customer_id not in (select customer_id from state where valid_until is null)`,
    [stack],
  );
  const count = rowCount ?? 0;
  // Also false if MAX_REMOVED isn't a number.
  if (count <= Number(maxRemoved)) return;
  throw new Error(
    `${count} customers would lose their tokens. If they have left, set MAX_REMOVED=${count} for one run`,
  );
}

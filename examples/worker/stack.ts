/** Brings a stack up to what the database says, and delivers its tokens. */
import {
  ConcurrentUpdateError,
  LocalWorkspace,
  type EngineEvent,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import type { Pool } from "pg";
import { deliver, type Delivered } from "./deliver.ts";
import { programOf, readArguments, type Arguments } from "./program.ts";

export interface Settings {
  readonly url: string;
  readonly pool: Pool;
  /** Seconds of an `up`: then it is cancelled. 15 s later it ends with this worker, 30 s later its lock is nobody's. */
  readonly upSeconds: number;
}

const stacks = new Map<string, Stack>();

/** `signal`: of a claim that is lost. Resolves to false if somebody else brings the stack up. */
export async function bringUp(settings: Settings, shard: string, signal: AbortSignal): Promise<boolean> {
  const { pool } = settings;
  const stack = await stackOf(settings, shard);
  if (await isLocked(settings, shard)) return false;
  try {
    // Read before the customers: a change that commits later keeps its row, and so another job follows.
    const { rows: changes } = await pool.query<{ id: string }>("select id from changes where shard = $1", [
      shard,
    ]);
    const run = { ...settings, stack, signal };
    // What a killed `up` has created is delivered before another one ends a former group.
    await finish(run, await deliver(pool, stack));
    await apply(run, await readArguments(pool, shard));
    // A token that leaked ends by an `up` after the delivery of the new one.
    if (await hasLeaks(pool, shard)) await apply(run, await readArguments(pool, shard));
    await pool.query("delete from changes where id = any($1)", [changes.map(({ id }) => id)]);
    await note(pool, shard, null);
    return true;
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) return false;
    await note(pool, shard, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

interface Run extends Settings {
  readonly stack: Stack;
  readonly signal: AbortSignal;
}

async function stackOf({ url }: Settings, shard: string): Promise<Stack> {
  const known = stacks.get(shard);
  if (known) return known;
  const envVars = { PULUMI_BACKEND_URL: url, PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" };
  const program = { stackName: shard, projectName: "worker", program: () => Promise.resolve() };
  const stack = await LocalWorkspace.createOrSelectStack(program, { workDir: import.meta.dirname, envVars });
  stacks.set(shard, stack);
  return stack;
}

/** Removes the locks that are older than any `up`: their engines were killed, or their machines are gone. */
async function isLocked({ pool, upSeconds }: Settings, shard: string): Promise<boolean> {
  // The backend begins its keys with the name of the database.
  const locks = `.pulumi/locks/organization/worker/${shard}/`;
  const { rowCount } = await pool.query(
    "delete from pulumi_state where position($1 in key) > 0 and updated_at < now() - make_interval(secs => $2)",
    [locks, upSeconds + 30],
  );
  if (rowCount) console.log(`${shard}: takes over from a killed worker`);
  const { rows } = await pool.query("select from pulumi_state where position($1 in key) > 0", [locks]);
  return rows.length > 0;
}

/**
 * Repeats an `up` that was killed, as it was: its rows may have changed since, and with other values a group that it has created
 * would be nobody's. Customers who have signed up since don't wait for it.
 */
async function finish(run: Run, { rotated, pending }: Delivered): Promise<void> {
  const { pool, stack } = run;
  const { rows } = await pool.query<{ arguments: Arguments }>(
    "select arguments from applying where shard = $1",
    [stack.name],
  );
  const [killed] = rows;
  if (pending.includes("creating")) await refresh(run);
  if (!killed) return;
  console.log(`${stack.name}: finishes what was killed`);
  const { groups } = await readArguments(pool, stack.name);
  const newcomers = Object.fromEntries(Object.entries(groups).filter(([id]) => !(id in rotated)));
  await apply(run, { ...killed.arguments, groups: { ...newcomers, ...killed.arguments.groups } }, true);
}

async function apply(run: Run, args: Arguments, isRepeated = false): Promise<void> {
  const { pool, stack } = run;
  await pool.query(
    "insert into applying values ($1, $2) on conflict (shard) do update set arguments = excluded.arguments",
    [stack.name, JSON.stringify(args)],
  );
  let error: unknown;
  try {
    await up(run, args);
  } catch (caught) {
    error = caught;
  }
  // Also after an `up` that failed for some customers.
  const { pending } = await deliver(pool, stack);
  if (pending.length === 0 && isSettled(error, isRepeated))
    await pool.query("delete from applying where shard = $1", [stack.name]);
  await boundHistory(pool, stack.name);
  if (error !== undefined) throw error;
}

/**
 * Whether nobody needs to repeat an `up` that ended: its state says what it did, also where it failed. Of what a killed one before it did,
 * only the responses of the service tell.
 */
function isSettled(error: unknown, isRepeated: boolean): boolean {
  if (error === undefined) return true;
  if (error instanceof ConcurrentUpdateError) return false;
  const codes = /\[(?!partial-failure|service-refused)[a-z-]+\]/;
  return !isRepeated || (error instanceof Error && !codes.test(error.message));
}

async function up(run: Run, args: Arguments): Promise<void> {
  await limited(run, "update", (options) => run.stack.up({ ...options, program: programOf(args) }));
}

/** Forgets creations that a killed `up` has begun; the next `up` requests these groups again, and gets them. */
async function refresh(run: Run): Promise<void> {
  await limited(run, "refresh", (options) => run.stack.refresh({ ...options, clearPendingCreates: true }));
}

/** Runs an operation for so long as its lock is valid, and logs its warnings. Rejects with its errors only, not its whole output. */
async function limited(
  { stack, signal, upSeconds }: Run,
  name: string,
  operation: (options: object) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  const errors: string[] = [];
  const onEvent = ({ diagnosticEvent }: EngineEvent) => {
    if (!diagnosticEvent) return;
    const text = diagnosticEvent.message.replace(/<\{%.*?%\}>/g, "").trim();
    if (diagnosticEvent.severity === "warning") console.warn(`${stack.name}: warning: ${text}`);
    // The engine ends with "update failed", which says nothing new.
    if (diagnosticEvent.severity === "error" && text !== `${name} failed`) errors.push(text);
  };
  const signals = AbortSignal.any([signal, AbortSignal.timeout(upSeconds * 1000)]);
  const options = { suppressOutputs: true, suppressProgress: true, color: "never", signal: signals, onEvent };
  const end = setTimeout(() => process.exit(1), (upSeconds + 15) * 1000);
  try {
    await operation(options);
    console.log(`${stack.name}: ${name} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (error instanceof ConcurrentUpdateError || errors.length === 0) throw error;
    throw new Error(errors.join("\n"));
  } finally {
    clearTimeout(end);
  }
}

async function hasLeaks(pool: Pool, shard: string): Promise<boolean> {
  const { rows } = await pool.query("select from served where leaked and shard = $1 limit 1", [shard]);
  return rows.length > 0;
}

/** Each operation leaves its state and a summary. Those of the last ten remain. */
async function boundHistory(pool: Pool, shard: string): Promise<void> {
  await pool.query(
    `delete from pulumi_state where key in (select key from pulumi_state
      where position($1 in key) > 0 order by updated_at desc offset 20)`,
    [`.pulumi/history/worker/${shard}/`],
  );
}

/** For who asks what a stack waits for. */
async function note(pool: Pool, shard: string, problem: string | null): Promise<void> {
  const size = "(select count(*) from customers where shard = shards.name)";
  await pool
    .query(`update shards set problem = $2, size = ${size} where name = $1`, [shard, problem])
    .catch((error: Error) => console.error(`${shard}: ${error.message}`));
}

/** Brings a stack up to what the database says, and delivers the tokens before each `up`, and again after it, even if it failed. */
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
  /** After so many seconds an `up` is cancelled, 15 s later its worker ends, and 15 s after that its lock is nobody's. */
  readonly upSeconds: number;
}

interface Run extends Settings {
  readonly stack: Stack;
  /** Of a job whose claim is lost. */
  readonly signal: AbortSignal;
}

/** Resolves to false if another worker brings the stack up. */
export async function bringUp(settings: Settings, shard: string, signal: AbortSignal): Promise<boolean> {
  const { pool } = settings;
  try {
    const run = { ...settings, stack: await stackOf(settings, shard), signal };
    await removeLostLocks(run);
    if (await isLocked(run)) return false;
    // Read before the customers: a change that commits later keeps its row, and so another job follows.
    const changes = await readChanges(run);
    await finishKilled(run, await deliver(pool, run.stack));
    await apply(run, await readArguments(pool, shard));
    // The new token of a customer whose token leaked is delivered by now, so that a second `up` can end the former one.
    if (await hasLeaks(run)) await apply(run, await readArguments(pool, shard));
    await pool.query("delete from changes where id = any($1)", [changes]);
    await note(settings, shard, null);
    return true;
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) return false;
    await note(settings, shard, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

const stacks = new Map<string, Stack>();

async function stackOf({ url }: Settings, shard: string): Promise<Stack> {
  const known = stacks.get(shard);
  if (known) return known;
  const envVars = { PULUMI_BACKEND_URL: url, PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" };
  const program = { stackName: shard, projectName: "worker", program: () => Promise.resolve() };
  const stack = await LocalWorkspace.createOrSelectStack(program, { workDir: import.meta.dirname, envVars });
  stacks.set(shard, stack);
  return stack;
}

/** Those that are older than any `up` may be: their engines were killed, or their machines are gone. */
async function removeLostLocks({ pool, stack, upSeconds }: Run): Promise<void> {
  const { rowCount } = await pool.query(
    "delete from pulumi_state where position($1 in key) > 0 and updated_at < now() - make_interval(secs => $2)",
    [locksOf(stack), upSeconds + 30],
  );
  if (rowCount) console.log(`${stack.name}: takes over from a killed worker`);
}

async function isLocked({ pool, stack }: Run): Promise<boolean> {
  const { rows } = await pool.query("select from pulumi_state where position($1 in key) > 0", [
    locksOf(stack),
  ]);
  return rows.length > 0;
}

/** What the keys of a stack's locks contain. The backend writes the name of the database before it. */
function locksOf(stack: Stack): string {
  return `.pulumi/locks/organization/worker/${stack.name}/`;
}

async function readChanges({ pool, stack }: Run): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("select id from changes where shard = $1", [stack.name]);
  return rows.map(({ id }) => id);
}

/**
 * Repeats an `up` that was killed with the same arguments: its rows may have changed since, and with other values a group that it has
 * created would be nobody's. Customers who have signed up since are added, so that they don't wait for it.
 */
async function finishKilled(run: Run, { rotated, pending }: Delivered): Promise<void> {
  const { pool, stack } = run;
  const { rows } = await pool.query<{ arguments: Arguments }>(
    "select arguments from applying where shard = $1",
    [stack.name],
  );
  const [killed] = rows;
  // Of a resource whose creation was killed, the state knows no group. The `up` requests them all again, and gets them.
  if (pending.includes("creating")) await forgetCreations(run);
  if (!killed) return;
  console.log(`${stack.name}: finishes what was killed`);
  const { groups } = await readArguments(pool, stack.name);
  const newcomers = Object.fromEntries(Object.entries(groups).filter(([id]) => !(id in rotated)));
  await apply(run, { ...killed.arguments, groups: { ...newcomers, ...killed.arguments.groups } }, true);
}

/** Runs `up`, delivers, and keeps the arguments in the database for as long as somebody may have to repeat it. */
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
  const { pending } = await deliver(pool, stack);
  if (pending.length === 0 && isSettled(error, isRepeated))
    await pool.query("delete from applying where shard = $1", [stack.name]);
  await boundHistory(run);
  if (error !== undefined) throw error;
}

/**
 * Whether the state says all that an `up` has done, so that nobody has to repeat it, also if it failed. The state doesn't say what a killed
 * `up` has done. That is known when its repetition has got a response for each group, be it a refusal.
 */
function isSettled(error: unknown, isRepeated: boolean): boolean {
  if (error === undefined) return true;
  if (error instanceof ConcurrentUpdateError) return false;
  if (!isRepeated) return true;
  const otherCodes = /\[(?!partial-failure\]|service-refused\])[a-z-]+\]/;
  return error instanceof Error && !otherCodes.test(error.message);
}

async function up(run: Run, args: Arguments): Promise<void> {
  await limited(run, "update", (options) => run.stack.up({ ...options, program: programOf(args) }));
}

async function forgetCreations(run: Run): Promise<void> {
  await limited(run, "refresh", (options) => run.stack.refresh({ ...options, clearPendingCreates: true }));
}

/** Runs an operation for no longer than its lock is valid, and logs its warnings. Rejects with its errors, not with its whole output. */
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
  const ending = AbortSignal.any([signal, AbortSignal.timeout(upSeconds * 1000)]);
  const options = { suppressOutputs: true, suppressProgress: true, color: "never", signal: ending, onEvent };
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

async function hasLeaks({ pool, stack }: Run): Promise<boolean> {
  const { rows } = await pool.query("select from served where leaked and shard = $1 limit 1", [stack.name]);
  return rows.length > 0;
}

/** Keeps the last ten operations, each of which has left its state and a summary. */
async function boundHistory({ pool, stack }: Run): Promise<void> {
  await pool.query(
    `delete from pulumi_state where key in (select key from pulumi_state
      where position($1 in key) > 0 order by updated_at desc offset 20)`,
    [`.pulumi/history/worker/${stack.name}/`],
  );
}

/** For those who ask what a stack waits for. */
async function note({ pool }: Settings, shard: string, problem: string | null): Promise<void> {
  const size = "(select count(*) from customers where shard = shards.name)";
  await pool
    .query(`update shards set problem = $2, size = ${size} where name = $1`, [shard, problem])
    .catch((error: Error) => console.error(`${shard}: ${error.message}`));
}

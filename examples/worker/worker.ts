/** Brings up the stack of each job and delivers its tokens. Any number of workers may run, on any machines. */
import { hostname } from "node:os";
import { ConcurrentUpdateError, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { PgBoss } from "pg-boss";
import postgres from "postgres";
import { deliver } from "./deliver.ts";
import { programOf } from "./program.ts";

const { DATABASE_URL: url = "", UP_SECONDS: seconds = "120" } = process.env;
if (url === "") throw new Error("set DATABASE_URL");
/** Milliseconds of an `up`: then it is cancelled. 15 s later it ends with this worker, 30 s later its lock is nobody's. */
const limit = Number(seconds) * 1000;

const sql = postgres(url, { onnotice: () => undefined });
const watch = { monitorIntervalSeconds: 5, superviseIntervalSeconds: 5 };
const boss = new PgBoss({ connectionString: url, createSchema: false, ...watch });
const stacks = new Map<string, Stack>();

async function serve(shard: string): Promise<void> {
  const stack = await stackOf(shard);
  // What a killed `up` has created is delivered before this one ends a former group.
  await deliver(sql, stack);
  try {
    await up(stack);
  } finally {
    // Also after an `up` that failed for some customers.
    await deliver(sql, stack);
  }
}

async function stackOf(shard: string): Promise<Stack> {
  const envVars = { PULUMI_BACKEND_URL: url, PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" };
  const program = { stackName: shard, projectName: "worker", program: programOf(sql, shard) };
  const workspace = { workDir: import.meta.dirname, envVars };
  const stack = stacks.get(shard) ?? (await LocalWorkspace.createOrSelectStack(program, workspace));
  stacks.set(shard, stack);
  return stack;
}

async function up(stack: Stack): Promise<void> {
  const quiet = { suppressOutputs: true, suppressProgress: true, color: "never" } as const;
  const options = { ...quiet, signal: AbortSignal.timeout(limit) };
  const end = setTimeout(() => process.exit(1), limit + 15_000);
  try {
    await stack.up(options);
  } catch (error) {
    if (!(error instanceof ConcurrentUpdateError && isStale(error.message))) throw error;
    console.log(`${stack.name}: takes over from a killed worker`);
    await stack.cancel();
    await stack.refresh({ ...options, clearPendingCreates: true });
    await stack.up(options);
  } finally {
    clearTimeout(end);
  }
}

/** Whether the engine that has the lock was killed: its process is gone, or the lock is older than any `up`. */
function isStale(message: string): boolean {
  const [, host, pid, since] = /created by \S+@(\S+) \(pid (\d+)\) at (\S+)/.exec(message) ?? [];
  if (since && Date.now() - Date.parse(since) > limit + 30_000) return true;
  try {
    return host === hostname() && !process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

boss.on("error", (error) => console.error(`pg-boss: ${error.message}`));
await boss.start();
const retries = { retryLimit: 9, retryDelay: 2, retryBackoff: true };
await boss.createQueue("shards", { policy: "stately", heartbeatSeconds: 10, ...retries });
await boss.createQueue("hourly", { policy: "exclusive" });
await boss.schedule("hourly", "7 * * * *");
await boss.work("hourly", async () => {
  await sql`select enqueue(name) from shards`;
  await sql`delete from pulumi_state where key like '%/history/%' and updated_at < now() - interval '30 days'`;
});
await boss.work<{ shard: string }>("shards", { pollingIntervalSeconds: 0.5 }, async ([job]) => {
  await serve(job!.data.shard).catch((error: Error) => {
    console.error(`${job!.data.shard}: ${error.message}`);
    throw error;
  });
});
console.log("ready");
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void boss.stop({ timeout: limit + 30_000 }).then(() => process.exit()));

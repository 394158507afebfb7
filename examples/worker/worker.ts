/** Sends a job for each stack with changes, and works on jobs. Any number of workers may run, on any machines. */
import { delimiter } from "node:path";
import { PgBoss, type Job } from "pg-boss";
import { connect, transaction } from "./database.ts";
import { bringUp } from "./stack.ts";

/** What a job says: the stack to bring up. */
interface Stack {
  readonly shard: string;
}

const { DATABASE_URL: url = "", UP_SECONDS: seconds = "120" } = process.env;
if (url === "") throw new Error("set DATABASE_URL");
const upSeconds = Number(seconds);
// In a clone, `npm start` puts npm's launcher of Pulumi first, which passes no signals on.
const folders = (process.env["PATH"] ?? "").split(delimiter);
process.env["PATH"] = folders.filter((folder) => !folder.endsWith("node_modules/.bin")).join(delimiter);

const pool = connect(url);
const boss = new PgBoss({
  connectionString: url,
  max: 3,
  createSchema: false,
  useListenNotify: true,
  // A job whose worker was killed runs again as soon as its heartbeats have stopped for 10 seconds.
  monitorIntervalSeconds: 5,
  superviseIntervalSeconds: 5,
});
boss.on("error", (error) => console.error(`pg-boss: ${error.message}`));
boss.on("warning", ({ message, data }) =>
  console.warn(`pg-boss: warning: ${message} ${JSON.stringify(data)}`),
);
await boss.start({ attempts: 9 });

await boss.createQueue("stacks", {
  policy: "stately", // of one stack, at most one job runs, and at most one waits
  notify: true,
  heartbeatSeconds: 10,
  retryLimit: 9,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  warningQueueSize: 100,
});
await boss.createQueue("hourly", { policy: "exclusive" });
await boss.schedule("hourly", "7 * * * *");

// The database notifies of each change. What happens without a connection is found later.
const listener = await boss.getDb().listen?.("customers", sendChanged, sendChanged);
const finding = setInterval(sendChanged, 30_000);
await boss.work("hourly", sendDue);
const work = await boss.work<Stack>("stacks", { notifyPollingIntervalSeconds: 5 }, workOn);

let stopping: Promise<void> | undefined;
// Not `once`: a listener of the Automation API ends the process if no other one is left.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void (stopping ??= stop()));
console.log("ready");

function sendChanged(): void {
  transaction(pool, async (client) => {
    const { rows } = await client.query<Stack>(
      `update changes set is_sent = true where id in (
        select id from changes where not is_sent for update skip locked) returning shard`,
    );
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    const shards = [...new Set(rows.map(({ shard }) => shard))].sort();
    // A job that waits already takes these changes with it, now, and before jobs that only time has brought.
    for (const shard of shards)
      await boss.upsert("stacks", { shard }, { singletonKey: shard, priority: 1, startAfter: 0, db });
  }).catch((error: Error) => console.error(`send: ${error.message}`));
}

async function sendDue(): Promise<void> {
  const { rows } = await pool.query<Stack>("select shard from due");
  for (const { shard } of rows) await boss.send("stacks", { shard }, { singletonKey: shard });
}

async function workOn([job]: Job<Stack>[]): Promise<void> {
  if (!job) return;
  const { shard } = job.data;
  try {
    const isUp = await bringUp({ url, pool, upSeconds }, shard, job.signal);
    // Another worker brings the stack up, or was lost while it did.
    if (!isUp) await boss.send("stacks", { shard }, { singletonKey: shard, priority: 1, startAfter: 5 });
  } catch (error) {
    console.error(`${shard}: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  } finally {
    // Perhaps another job waits.
    boss.notifyWorker(work);
  }
}

/** Finishes the job that runs. */
async function stop(): Promise<void> {
  clearInterval(finding);
  await listener?.close();
  await boss.stop({ timeout: (3 * upSeconds + 30) * 1000 });
  await pool.end();
  process.exit();
}

/** Sends a job for each stack with changes, and brings up the stacks of jobs. Any number of workers may run, on any machines. */
import { PgBoss } from "pg-boss";
import { connect, transaction } from "./database.ts";
import { bringUp } from "./stack.ts";

const { DATABASE_URL: url = "", UP_SECONDS: seconds = "120" } = process.env;
if (url === "") throw new Error("set DATABASE_URL");
const upSeconds = Number(seconds);

const pool = connect(url);
const watch = { monitorIntervalSeconds: 5, superviseIntervalSeconds: 5 };
const boss = new PgBoss({
  connectionString: url,
  createSchema: false,
  max: 3,
  useListenNotify: true,
  ...watch,
});
boss.on("error", (error) => console.error(`pg-boss: ${error.message}`));
boss.on("warning", ({ message, data }) =>
  console.warn(`pg-boss: warning: ${message} ${JSON.stringify(data)}`),
);
await boss.start({ attempts: 9 });
const retries = { retryLimit: 9, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 };
await boss.createQueue("stacks", { policy: "stately", heartbeatSeconds: 10, notify: true, ...retries });
await boss.createQueue("hourly", { policy: "exclusive" });
await boss.schedule("hourly", "7 * * * *");

/** A job that waits takes a change of its stack with it, before those that only time has brought. */
async function send(): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ shard: string }>(
      `update changes set is_sent = true where id in (
        select id from changes where not is_sent for update skip locked) returning shard`,
    );
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    for (const shard of [...new Set(rows.map((row) => row.shard))].sort())
      await boss.upsert("stacks", { shard }, { singletonKey: shard, priority: 1, startAfter: 0, db });
  });
}
const trySend = () => void send().catch((error: Error) => console.error(`send: ${error.message}`));
const listener = await boss.getDb().listen?.("customers", trySend, trySend);
const sending = setInterval(trySend, 30_000);

await boss.work("hourly", async () => {
  const { rows } = await pool.query<{ shard: string }>("select shard from due");
  for (const { shard } of rows) await boss.send("stacks", { shard }, { singletonKey: shard });
});

const work: string = await boss.work<{ shard: string }>(
  "stacks",
  { notifyPollingIntervalSeconds: 5 },
  async ([job]) => {
    const { shard } = job!.data;
    try {
      const isUp = await bringUp({ url, pool, upSeconds }, shard, job!.signal);
      // Somebody else has the stack, or was lost with it.
      if (!isUp) await boss.send("stacks", { shard }, { singletonKey: shard, priority: 1, startAfter: 5 });
    } catch (error) {
      console.error(`${shard}: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    } finally {
      boss.notifyWorker(work);
    }
  },
);
console.log("ready");

/** Finishes the job that runs. */
async function stop(): Promise<void> {
  clearInterval(sending);
  await listener?.close();
  await boss.stop({ timeout: (3 * upSeconds + 30) * 1000 });
  await pool.end();
  process.exit();
}
// Not `once`: a listener of the Automation API ends the process if no other one is left.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());

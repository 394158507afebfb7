import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A PostgreSQL that the example shards runs. */
export interface Database {
  /** For PULUMI_BACKEND_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-database-"));
  if (process.getuid?.() === 0) await Promise.all([tmpdir(), folder].map(letOthersIn));
  const args = ["database.ts", "--port", String(await freePort()), "--data", join(folder, "data")];
  const child = spawn(process.execPath, ["--require", "ts-node/register", ...args], {
    cwd: resolve(__dirname, "../../examples/shards"),
    env: { ...process.env, TS_NODE_TRANSPILE_ONLY: "true" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await Promise.race([once(child.stdout, "data"), ended]);
  const [, url = assert.fail("PostgreSQL doesn't start")] = /^PULUMI_BACKEND_URL=(.*)$/m.exec(printed) ?? [];
  return {
    url,
    async stop() {
      child.kill("SIGINT");
      await ended;
      await fs.rm(folder, { recursive: true, maxRetries: 3 });
    },
  };
}

/** As root, PostgreSQL runs as another user, who must reach its folder. */
async function letOthersIn(folder: string): Promise<void> {
  const { mode } = await fs.stat(folder);
  if ((mode & 0o001) === 0) await fs.chmod(folder, mode | 0o001);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert(typeof address === "object" && address !== null);
  server.close();
  await once(server, "close");
  return address.port;
}

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { withoutSettings } from "../../environment";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import type { Task } from "./childProgram";

/**
 * Runs tasks in a process of its own, for what a process reads from its environment: proxies, and the certificate of
 * the tests, unless `isTrusted` is false.
 */
export async function inChild(
  tasks: readonly Task[],
  { env = {}, isTrusted = true }: { env?: Record<string, string>; isTrusted?: boolean } = {},
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-child-"));
  try {
    const file = join(folder, "trusted.pem");
    await writeFile(file, loopbackCertificate.cert);
    const trust = isTrusted ? { NODE_EXTRA_CA_CERTS: file } : {};
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--require", "ts-node/register", resolve(__dirname, "childProgram.ts")],
      {
        cwd: resolve(__dirname, "../../../.."),
        env: {
          ...withoutSettings(process.env),
          ...env,
          ...trust,
          TASKS: JSON.stringify(tasks),
          TS_NODE_TRANSPILE_ONLY: "true",
        },
      },
    );
    return z.array(z.string()).parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true });
  }
}

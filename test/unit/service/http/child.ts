import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ended } from "../../../harness/run";
import { withoutSettings } from "../../environment";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import type { Task } from "./childProgram";

interface ChildOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the process trusts the tests' certificate. Default: true. */
  readonly isTrusted?: boolean;
}

/** Runs tasks in a process of its own, because a process reads proxies and certificates from its environment. */
export async function inChild(tasks: readonly Task[], options: ChildOptions = {}): Promise<string[]> {
  const program = resolve(__dirname, "childProgram.ts");
  return z.array(z.string()).parse(JSON.parse(await outputOf([program, JSON.stringify(tasks)], options)));
}

/** The output of a TypeScript program: its file and its arguments. */
async function outputOf(
  program: readonly string[],
  { env = {}, isTrusted = true }: ChildOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-child-"));
  try {
    const file = join(folder, "trusted.pem");
    await writeFile(file, loopbackCertificate.cert);
    const trust = isTrusted ? { NODE_EXTRA_CA_CERTS: file } : {};
    const child = spawn(process.execPath, ["--require", "ts-node/register", ...program], {
      env: { ...withoutSettings(process.env), ...env, ...trust, TS_NODE_TRANSPILE_ONLY: "true" },
    });
    return (await ended(child)).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

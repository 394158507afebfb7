import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { withoutSettings } from "./environment";
import { methods, type Ask, type Service } from "./exchanges";

const outcomes = z.array(z.object({ status: z.number().optional(), failure: z.string().optional() }));

/**
 * Exchanges at once in a process of its own, for what a process reads when it starts: `trusted` is a certificate for
 * NODE_EXTRA_CA_CERTS.
 */
export async function askInChild(
  service: Service,
  asks: readonly Ask[],
  { trusted, env }: { trusted: string; env?: Record<string, string> },
): Promise<z.infer<typeof outcomes>> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-child-"));
  try {
    const file = join(folder, "trusted.pem");
    await writeFile(file, trusted);
    const { baseUrl, apiToken } = service;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--require", "ts-node/register", resolve(__dirname, "childProgram.ts")],
      {
        cwd: resolve(__dirname, "../.."),
        env: {
          ...withoutSettings(process.env),
          ...env,
          NODE_EXTRA_CA_CERTS: file,
          ASKS: JSON.stringify({ service: { baseUrl, apiToken }, asks }),
        },
      },
    );
    return outcomes.parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Three requests of each method at once over two connections, and one to a name that the certificate doesn't hold. */
export function sixAndWrongHost({ baseUrl }: Service): Ask[] {
  const url = `${baseUrl}/api/user`;
  const six = [...methods, ...methods, ...methods].map((method) => ({ method, url, maxConnections: 2 }));
  return [...six, { method: "GET", url: url.replace("127.0.0.1", "localhost"), maxConnections: 2 }];
}

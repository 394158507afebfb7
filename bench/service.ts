// The user group service that a contestant works on: the emulator, in a process of its own.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { cpuSecondsOf } from "./processTree";

export type Traffic = z.infer<typeof traffic>;

export interface Service {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** What came since the last call, and the groups there are now. */
  traffic(): Promise<Traffic>;
  /** Processor seconds until now. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export async function startService(latency: number): Promise<Service> {
  const child = fork(join(__dirname, "serviceProcess.ts"), [String(latency)], {
    execArgv: ["--require", "ts-node/register"],
    // Of a process group of its own, so that a terminal's interrupt leaves it to this process.
    detached: true,
  });
  return {
    ...address.parse(await nextMessage(child)),
    async traffic() {
      child.send("traffic");
      return traffic.parse(await nextMessage(child));
    },
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

const address = z.object({ baseUrl: z.string(), apiToken: z.string() });

const traffic = z.object({
  requests: z.number(),
  connections: z.number(),
  /** The most that were open at once, counted at each answer. */
  peakConnections: z.number(),
  groups: z.number(),
});

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = once(child, "exit", ended).then(() => {
    throw new Error("The emulator ended");
  });
  try {
    const received: readonly unknown[] = await Promise.race([once(child, "message"), end]);
    return received[0];
  } finally {
    end.catch(() => undefined);
    ended.abort();
  }
}

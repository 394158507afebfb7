// `--profile`: CPU profiles of program and provider, for Chrome's DevTools or speedscope.
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { run } from "./command";
import type { Contestant } from "./contestants";
import { startService } from "./measure";
import { newWorkspace } from "./workspace";

/** Runs up, preview and refresh once, without latency. Profiling itself takes time. */
export async function writeProfiles(
  contestant: Contestant,
  groups: number,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(__dirname, "results/profiles");
  await fs.mkdir(folder, { recursive: true });
  const emulator = await startService(0, () => undefined);
  const recorder = `--require ${JSON.stringify(join(__dirname, "recorder.cjs"))}`;
  const env = { ...contestant.env, NODE_OPTIONS: recorder };
  const workspace = await newWorkspace({ ...contestant, env }, groups, emulator);
  try {
    for (const command of workspace.preparation) await run(command, signal);
    for (const operation of ["up", "preview", "refresh"] as const) {
      const command = workspace.commands[operation];
      const profile = join(folder, `${contestant.id}-${groups}-${operation}`);
      const { seconds } = await run({ ...command, env: { ...command.env, BENCH_PROFILE: profile } }, signal);
      console.log(`${profile}-*.cpuprofile: ${operation} took ${seconds.toFixed(2)} s`);
    }
  } finally {
    await workspace.remove();
    await emulator.stop();
  }
}

/** Runs `pulumi` through its launcher, as `npx pulumi` does. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ended, inherited, type Ended, type Environment } from "../harness/run";

export interface Launch {
  readonly cwd: string;
  readonly env: Environment;
  readonly echo?: ((text: string) => void) | undefined;
  /** After so many seconds it is interrupted. Default: 150, less than a test may take. */
  readonly patience?: number | undefined;
  /** Gets what interrupts the command, as Ctrl-C does; it may be called twice. */
  readonly started?: ((interrupt: () => void) => void) | undefined;
}

/** PULUMI_DEBUG_COMMANDS opens the flag --event-log. */
export const quiet = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DEBUG_COMMANDS: "true", NO_COLOR: "1" };

export async function launch(
  args: readonly string[],
  { cwd, env, echo, patience = 150, started }: Launch,
): Promise<Ended> {
  const child = spawn(process.execPath, [require.resolve("pulumi/run.js"), ...args], {
    cwd,
    env: { ...inherited(), ...quiet, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: hasGroups,
  });
  running.add(child);
  const limit = setTimeout(() => void end(child), patience * 1000);
  started?.(() => {
    if (running.has(child)) send(child, "SIGINT");
  });
  const result = await ended(child, echo);
  clearTimeout(limit);
  running.delete(child);
  return result;
}

const running = new Set<ChildProcess>();
const hasGroups = process.platform !== "win32";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void Promise.all([...running].map(end)).then(() => process.exit(1));
  });
}

/** The engine ends its plugins, which are in groups of their own, when it is interrupted twice; killed, it leaves them. */
async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  for (const signal of ["SIGINT", "SIGINT", "SIGKILL"] as const) {
    if (!running.has(child)) return;
    send(child, signal);
    await Promise.race([closed, sleep(10_000, undefined, { ref: false })]);
  }
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal);
  else child.kill(signal);
}

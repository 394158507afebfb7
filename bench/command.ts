// Runs one command, and measures what it and all that it starts use.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ended } from "../test/harness/run";
import { watchSession, type Usage } from "./usage";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** In addition to this process's environment without its settings for contestants. */
  readonly env: Environment;
}

export interface Ran extends Usage {
  /** Wall time, from the start to the end of all output. */
  readonly seconds: number;
}

/**
 * Runs the command until it ends. Throws if its exit code isn't 0, and if `signal` aborts; an abort also ends what the
 * command started.
 */
export async function run({ file, args, cwd, env }: Command, signal: AbortSignal): Promise<Ran> {
  signal.throwIfAborted();
  const started = performance.now();
  const child = spawn(file, args, {
    ...{ cwd, env: { ...inherited(), ...env }, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const onAbort = () => void interrupt(child);
  signal.addEventListener("abort", onAbort);
  const watch = watchSession(child.pid);
  try {
    const { code, output } = await ended(child);
    const seconds = (performance.now() - started) / 1000;
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}:\n${output.slice(-3000)}`);
    return { seconds, ...watch.stop() };
  } finally {
    watch.stop();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Removes settings of the developer's shell for contestants and for the network. */
function inherited(): Environment {
  const removed = /^(PULUMI_|USER_GROUPS_|TF_|NODE_OPTIONS$|npm_|(https?|no|all)_proxy$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !removed.test(name)));
}

/** Both engines end their plugins after the second interrupt. If an engine is killed, its plugins remain. */
async function interrupt(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  for (const signal of ["SIGINT", "SIGINT", "SIGKILL"] as const) {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, signal);
    await Promise.race([closed, sleep(3000, undefined, { ref: false })]);
  }
}

// Runs one command, and watches what it and all that it starts use.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { watchTree, type Usage } from "./processTree";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** On top of this process's environment, less what its shell sets for the contestants. */
  readonly env: Environment;
}

export interface Ran extends Usage {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  /** Standard output and error, as they came. */
  readonly output: string;
  /** From the start to the end of all output. */
  readonly seconds: number;
}

/** Runs it until it ends or `signal` aborts; an abort ends what the command started as well, and throws. */
export async function run({ file, args, cwd, env }: Command, signal: AbortSignal): Promise<Ran> {
  signal.throwIfAborted();
  const started = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { ...inherited(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: hasGroups,
  });
  const onAbort = () => void interrupt(child);
  signal.addEventListener("abort", onAbort);
  const watch = watchTree(child.pid);
  try {
    const output = collect(child);
    const code = await ended(child);
    const seconds = (performance.now() - started) / 1000;
    signal.throwIfAborted();
    return { code, output: output.join(""), seconds, ...watch.stop() };
  } finally {
    watch.stop();
    signal.removeEventListener("abort", onAbort);
  }
}

const hasGroups = process.platform !== "win32";

/** Nothing that the developer's shell has set for a contestant or for the network reaches it. */
function inherited(): Environment {
  const stripped = /^(PULUMI_|USER_GROUPS_|TF_|NODE_OPTIONS$|npm_|(https?|no|all)_proxy$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !stripped.test(name)));
}

function collect({ stdout, stderr }: ChildProcess): string[] {
  const texts: string[] = [];
  for (const stream of [stdout, stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => texts.push(text));
  return texts;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once("error", failed).once("close", done);
  });
}

/** Both engines end their plugins when they are interrupted twice; killed, they leave them. */
async function interrupt(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  for (const signal of ["SIGINT", "SIGINT", "SIGKILL"] as const) {
    if (child.exitCode === null && child.signalCode === null) send(child, signal);
    await Promise.race([closed, sleep(3000, undefined, { ref: false })]);
  }
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal);
  else child.kill(signal);
}

/** Runs programs, and gives them folders. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Ended {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order of arrival. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string | undefined;
  /** Default: that of this process. */
  readonly env?: Environment;
}

/** Nothing that the developer's shell has set for Pulumi (but its version), for the product or for the network reaches a test. */
export function inherited(): Environment {
  const stripped = /^(PULUMI_(?!VERSION$)|USER_GROUPS_|NODE_OPTIONS$|npm_|(https?|no|all)_proxy$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !stripped.test(name)));
}

/** Runs a program to its end, without input. Rejects if it can't be started. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return ended(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
}

interface PipedProcess extends ChildProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Waits for the end of a process and of its output, which `echo` gets as it arrives. */
export async function ended(
  child: Pick<PipedProcess, "stdout" | "stderr" | "once">,
  echo?: (text: string) => void,
): Promise<Ended> {
  const texts = { stdout: "", stderr: "", output: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      texts.output += text;
      echo?.(text);
    });
  const code = await new Promise<number | null>((done, failed) => {
    child.once("error", failed).once("close", done);
  });
  return { code, ...texts };
}

/** Asserts the exit code 0, and shows the output of another. */
export function succeeds<Result extends Ended>(result: Result): Result {
  assert.equal(result.code, 0, `It failed:\n${result.output}`);
  return result;
}

/** Asserts a failure without a stack trace, whose output has each pattern. */
export function fails<Result extends Ended>(result: Result, ...patterns: readonly RegExp[]): Result {
  assert.notEqual(result.code, 0, `It didn't fail:\n${result.output}`);
  assert.doesNotMatch(result.output, /^\s*at .+:\d+/m);
  for (const pattern of patterns) assert.match(result.output, pattern);
  return result;
}

/** Gives `use` a new folder, and removes it then. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-test-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

/** Writes a program in JavaScript that is found by its name if the folder is on the PATH, also on Windows. */
export async function writeProgram(folder: string, name: string, code: string): Promise<void> {
  await writeFile(join(folder, name), `#!/usr/bin/env node\n${code}\n`, { mode: 0o755 });
  await writeFile(join(folder, `${name}.cmd`), `@node "%~dp0${name}" %*\n`);
}

/** The mode of a file that only its owner can read. On Windows, the permissions of its folder hold instead. */
export const privateMode = process.platform === "win32" ? 0o666 : 0o600;

/** The engine that started this process. */
import { spawnSync } from "node:child_process";
import { fstatSync, readFileSync } from "node:fs";
import path from "node:path";

let isWatched = false;

/**
 * Ends this process when the engine has ended, also by a kill: the engine holds the other end of stdin. Without the engine no
 * result could be recorded, and the next `up` would run beside this process. The id of the parent process shows less, because
 * the engine starts dynamic providers through a shell.
 */
export function endWithEngine(): void {
  if (isWatched || !isPipe(0)) return;
  isWatched = true;
  process.stdin.resume().once("close", () => {
    process.exit();
  });
}

function isPipe(descriptor: number): boolean {
  try {
    const file = fstatSync(descriptor);
    return file.isFIFO() || file.isSocket();
  } catch {
    return false;
  }
}

interface Process {
  readonly parent: number;
  readonly args: readonly string[];
}

/** The engine may start a provider through a shell script. */
const mostAncestors = 4;

const commands = /^(up|update|preview|pre|refresh|import|watch|destroy|down|dn)$/;
const destroyCommands = new Set(["destroy", "down", "dn"]);

let found: { readonly isDestroy: boolean | undefined } | undefined;

/**
 * Whether the engine runs `pulumi destroy`; undefined: not known. The engine's protocol doesn't name its command, and a destroy
 * without a program looks like an update. Each deletion asks, so the other processes are read once.
 */
export function isDestroy(): boolean | undefined {
  found ??= { isDestroy: readIsDestroy() };
  return found.isDestroy;
}

function readIsDestroy(): boolean | undefined {
  let pid = process.ppid;
  for (let ancestors = 0; ancestors < mostAncestors && pid > 1; ancestors += 1) {
    const { parent, args } = processOf(pid) ?? { parent: 0, args: [] };
    const command = isEngine(args) ? args.slice(1).find((arg) => commands.test(arg)) : undefined;
    if (command !== undefined) return destroyCommands.has(command);
    pid = parent;
  }
  return undefined;
}

function isEngine([file = ""]: readonly string[]): boolean {
  return /^pulumi(\.exe)?$/.test(path.basename(file));
}

function processOf(pid: number): Process | undefined {
  try {
    if (process.platform === "linux") {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return { parent: Number(parent ?? 0), args };
    }
    if (process.platform !== "darwin") return undefined;
    const { stdout } = spawnSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" });
    const [parent, ...args] = stdout.trim().split(/\s+/);
    return { parent: Number(parent ?? 0), args };
  } catch {
    return undefined;
  }
}

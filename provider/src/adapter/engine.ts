/** The engine that started this process. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { isDestroyCommand } from "./commandLine";

let isWatched = false;

/**
 * Ends this process when the engine has ended, also by a kill: the engine holds the other end of stdin. Without the engine no
 * result could be recorded, and the next `up` would run beside this process.
 */
export function endWithEngine(): void {
  const isPipe = process.stdin instanceof Socket && !process.stdin.isTTY;
  if (isWatched || !isPipe) return;
  isWatched = true;
  process.stdin.resume().once("close", () => {
    process.exit();
  });
}

const isEngine = /^pulumi(\.exe)?$/;

let commandLine: readonly string[] | undefined;

/**
 * Whether the engine runs `pulumi destroy`; undefined: not known. The engine's protocol doesn't name its command, and a destroy
 * without a program looks like an update. Each deletion asks, so the other processes are read once.
 */
export function isDestroy(): boolean | undefined {
  commandLine ??= commandLineOf(process.ppid) ?? [];
  return isDestroyCommand(commandLine);
}

/** The arguments of the engine. It may start a provider through a shell script, so the engine is one of four ancestors. */
function commandLineOf(pid: number, ancestors = 4): readonly string[] | undefined {
  if (ancestors === 0 || !(pid > 1)) return undefined;
  const [parent, file = "", ...args] = processOf(pid);
  return isEngine.test(path.basename(file)) ? args : commandLineOf(Number(parent), ancestors - 1);
}

/** The ID of the parent process, and the command line. */
function processOf(pid: number): string[] {
  try {
    if (process.platform === "linux") {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return [/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "", ...args];
    }
    if (process.platform !== "darwin") return [];
    const { stdout } = spawnSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" });
    return stdout.trim().split(/\s+/);
  } catch {
    return [];
  }
}

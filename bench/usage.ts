// Memory and processor time of a command, from /proc. Other systems than Linux report zeros.
import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  /** The largest sum of the resident sets of all processes, sampled every 50 ms. Shared pages count in each. */
  readonly peakMemoryMiB: number;
  /** User and system time of all processes, as last sampled. */
  readonly cpuSeconds: number;
}

/** Watches the processes of the session that the process `leader` started. A second `stop` returns the same. */
export function watchSession(leader: number | undefined): { stop(): Usage } {
  const cpuSeconds = new Map<number, number>();
  const others = new Set<number>();
  let peakBytes = 0;
  const timer = setInterval(() => {
    let bytes = 0;
    for (const pid of processIds().filter((each) => !others.has(each))) {
      const stat = readStat(pid);
      if (stat?.session !== leader) others.add(pid);
      else if (stat !== undefined) {
        cpuSeconds.set(pid, stat.cpuSeconds);
        bytes += stat.residentBytes;
      }
    }
    peakBytes = Math.max(peakBytes, bytes);
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return { peakMemoryMiB: peakBytes / 1024 ** 2, cpuSeconds: sum([...cpuSeconds.values()]) };
    },
  };
}

function processIds(): number[] {
  return process.platform === "linux" ? readdirSync("/proc").map(Number).filter(Number.isInteger) : [];
}

/** proc(5): the process's name is in parentheses and may contain any character. Undefined if the process has ended. */
function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const field = (number: number) => Number(fields[number - 3]);
    const ticksPerSecond = 100;
    return {
      session: field(6),
      cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
      residentBytes: field(24) * 4096,
    };
  } catch {
    return undefined;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

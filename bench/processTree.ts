// What a process and all its descendants use, sampled from /proc every 50 ms. Elsewhere than on Linux: nothing.
import { readFileSync, readdirSync } from "node:fs";

export interface Usage {
  /** The largest sum of the resident sets of all processes at one moment; shared pages count in each. */
  readonly peakMemoryMiB: number;
  /** Processor seconds by part, user and system, as last seen of each process. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

export interface Watch {
  /** A second call gives the same. */
  stop(): Usage;
}

export function watchTree(root: number | undefined): Watch {
  const tree = new ProcessTree(root);
  const timer = setInterval(() => {
    tree.sample();
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return tree.usage();
    },
  };
}

/** Processor seconds of one process until now. */
export function cpuSecondsOf(pid: number): number {
  return readStat(pid)?.cpuSeconds ?? 0;
}

/** Processor seconds of all processes that this one has started and that have ended, with all that they waited for. */
export function endedCpuSeconds(): number {
  return readStat(process.pid)?.endedCpuSeconds ?? 0;
}

/** Processor seconds of the whole machine until now, less those that it was idle or waited. */
export function machineCpuSeconds(): number {
  const [line = ""] = readOrEmpty("/proc/stat").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / ticksPerSecond;
}

/** Linux shows these to programs as constants, whatever the kernel's own are. */
const ticksPerSecond = 100;
const pageBytes = 4096;

interface Member {
  name: string;
  part: string;
  cpuSeconds: number;
}

class ProcessTree {
  readonly #members = new Map<number, Member>();
  readonly #strangers = new Set<number>();
  #peakBytes = 0;

  constructor(root: number | undefined) {
    if (root !== undefined) this.#members.set(root, { name: "", part: "other", cpuSeconds: 0 });
  }

  sample(): void {
    let bytes = 0;
    for (const pid of processIds()) {
      if (this.#strangers.has(pid)) continue;
      const stat = readStat(pid);
      if (!stat) continue;
      if (this.#members.has(pid) || this.#members.has(stat.parent)) bytes += this.#note(pid, stat);
      else this.#strangers.add(pid);
    }
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
  }

  usage(): Usage {
    const cpuSeconds: Record<string, number> = {};
    for (const { part, cpuSeconds: seconds } of this.#members.values())
      cpuSeconds[part] = (cpuSeconds[part] ?? 0) + seconds;
    return { peakMemoryMiB: this.#peakBytes / 1024 ** 2, cpuSeconds };
  }

  /** A process that has just been forked still has its parent's name. */
  #note(pid: number, { name, cpuSeconds, residentBytes }: Stat): number {
    const known = this.#members.get(pid);
    const part = known?.name === name ? known.part : partOf(readOrEmpty(`/proc/${pid}/cmdline`));
    this.#members.set(pid, { name, part, cpuSeconds });
    return residentBytes;
  }
}

interface Stat {
  readonly name: string;
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly endedCpuSeconds: number;
  readonly residentBytes: number;
}

function processIds(): number[] {
  return process.platform === "linux" ? readdirSync("/proc").map(Number).filter(Number.isInteger) : [];
}

/** proc(5): the name stands in parentheses and may hold any character; what follows is split by blanks. */
function readStat(pid: number): Stat | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  const end = text.lastIndexOf(")");
  if (end < 0) return undefined;
  const fields = text.slice(end + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    name: text.slice(text.indexOf("(") + 1, end),
    parent: field(4),
    cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
    endedCpuSeconds: (field(16) + field(17)) / ticksPerSecond,
    residentBytes: field(24) * pageBytes,
  };
}

/** A process may end at any moment. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The part that a process has in the work, by its command line. */
function partOf(commandLine: string): string {
  return parts.find(([, pattern]) => pattern.test(commandLine))?.[0] ?? "other";
}

const parts: readonly (readonly [string, RegExp])[] = [
  ["provider", /terraform-provider-|@pulumi\/pulumi\/cmd\/dynamic-provider/],
  ["program", /@pulumi\/pulumi\/cmd\/run/],
  ["language host", /pulumi-language-nodejs/],
  ["launcher", /pulumi\/run\.js/],
  ["engine", /(^|\/)(pulumi|tofu)\0/],
];

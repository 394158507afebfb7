import { readdirSync, readFileSync } from "node:fs";

/** The memory of the processes with a mark in their environment, sampled twice a second. Linux only. */
export class MemoryWatch {
  /** By process ID; undefined for a process without the mark. */
  readonly #kinds = new Map<string, string | undefined>();
  readonly #peaks = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #largestSum = 0;

  constructor(readonly mark: string) {
    this.#timer = setInterval(() => {
      this.#sample();
    }, 500);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The largest sum of their resident sets at one moment, in MiB. Pages that processes share count in each. */
  get largestSum(): number {
    return Math.round(this.#largestSum / 1024);
  }

  /** The resident set of the largest process of each kind, in KiB. */
  get peaks(): ReadonlyMap<string, number> {
    return this.#peaks;
  }

  #sample(): void {
    let sum = 0;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (!this.#kinds.has(pid)) this.#kinds.set(pid, this.#kindOf(pid));
      const kind = this.#kinds.get(pid);
      if (kind === undefined) continue;
      const kiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0);
      sum += kiB;
      this.#peaks.set(kind, Math.max(this.#peaks.get(kind) ?? 0, kiB));
    }
    this.#largestSum = Math.max(this.#largestSum, sum);
  }

  #kindOf(pid: string): string | undefined {
    if (!read(pid, "environ").includes(this.mark)) return undefined;
    const command = read(pid, "cmdline");
    return Object.entries(kinds).find(([, part]) => command.includes(part))?.[0] ?? "others";
  }
}

/** Kind → a part of the command line. */
const kinds = {
  "deploy.ts": "deploy.ts",
  provider: "dynamic-provider",
  program: "pulumi/cmd/run",
  "language host": "pulumi-language-nodejs",
  engine: "bin/pulumi\0",
};

/** Empty for a process that has ended, or is another user's. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

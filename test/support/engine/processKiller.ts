/** `kill -9` of an engine with all that it has started, which an engine killed alone would leave behind. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import type { Ended } from "../harness/run";

/** Whether this system shows each process's environment. */
export const canKill = process.platform === "linux";

export interface Moment {
  /** After the service has applied so many requests, from 1. */
  readonly requests: number;
  /** And so many milliseconds. Default: none, so that the last one gets no response. */
  readonly ms?: number;
}

export class ProcessKiller {
  readonly #mark = randomUUID();
  #moment: Moment = { requests: Infinity };
  #requests = 0;

  /** What a stack's processes must have in their environment, and inherit. */
  get env(): Readonly<Record<string, string>> {
    return { USER_GROUPS_TEST_MARK: this.#mark };
  }

  /** Kills what runs when the moment comes. Where it came, the exit code is null. */
  async during<Run extends Ended>(moment: Moment, run: () => Promise<Run>): Promise<Run> {
    this.#requests = 0;
    this.#moment = moment;
    const launched = await run();
    this.#moment = { requests: Infinity };
    return launched;
  }

  /** Call it when the service has applied a request, and not responded yet. */
  onRequest(): void {
    this.#requests += 1;
    const { requests, ms = 0 } = this.#moment;
    if (this.#requests !== requests) return;
    if (ms === 0) this.kill();
    else
      setTimeout(() => {
        this.kill();
      }, ms);
  }

  /** `name`: of the program, such as "pulumi". Default: all, until none is left: one may have started another just before. */
  kill(name?: string): void {
    const killed = this.#named(name);
    for (const pid of killed) send("SIGKILL", pid);
    if (killed.length > 0) this.kill(name);
  }

  /** Lets them hang, until they are killed. */
  suspend(name: string): void {
    for (const pid of this.#named(name)) send("SIGSTOP", pid);
  }

  /** Whether a process runs whose command contains the text. */
  isRunning(command: string): boolean {
    return this.#marked.some((pid) => textOf(pid, "cmdline").includes(command));
  }

  #named(name: string | undefined): string[] {
    return this.#marked.filter((pid) => name === undefined || textOf(pid, "comm").trim() === name);
  }

  get #marked(): string[] {
    const running = fs.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid));
    return running.filter((pid) => textOf(pid, "environ").includes(this.#mark));
  }
}

/** Empty for a process that has ended, or is another user's. */
function textOf(pid: string, file: "environ" | "comm" | "cmdline"): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function send(signal: NodeJS.Signals, pid: string): void {
  try {
    process.kill(Number(pid), signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

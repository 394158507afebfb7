/** The connections of this process: one keep-alive agent and one queue for each service. */
import type http from "node:http";
import { agentFor } from "./agents";

export interface Connections {
  readonly agent: http.Agent;
  readonly queue: RequestQueue;
}

const queues = new WeakMap<http.Agent, RequestQueue>();

/** At most `maxConnections` requests at a time to the origin of `url`. */
export function connectionsTo(url: URL, maxConnections: number): Connections {
  const agent = agentFor(url, maxConnections);
  const queue = queues.get(agent) ?? new RequestQueue(maxConnections);
  queues.set(agent, queue);
  return { agent, queue };
}

/** Limits the number of requests at a time. The others wait, first come, first served. */
export class RequestQueue {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Runs `work` when it gets its turn. Rejects with the signal's reason if that aborts while it waits. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(start);
        reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      const start = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      this.#waiting.add(start);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** Starts the request that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

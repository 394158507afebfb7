/** At most as many requests at a time to one origin as the setting `maxConnections` says. */

const queues = new Map<string, RequestQueue>();

/** The queue of this process for the origin of a URL. */
export function queueFor({ origin }: URL, size: number): RequestQueue {
  const key = `${origin} ${size}`;
  const queue = queues.get(key) ?? new RequestQueue(size);
  queues.set(key, queue);
  return queue;
}

/** Limits the number of requests at a time. The others wait, first come, first served. */
export class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Runs `work` when it gets its turn. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Time and randomness, passed in so that tests control them. */
export const systemClock = {
  /** Milliseconds of a clock that only goes forward. */
  now: () => performance.now(),
  /** Milliseconds since 1970. */
  date: () => Date.now(),
  /** Rejects when `signal` aborts. */
  sleep: (milliseconds: number, signal: AbortSignal): Promise<void> => {
    // Any number of operations may sleep. Otherwise Node.js warns of a leak from the eleventh on.
    setMaxListeners(0, signal);
    return sleep(milliseconds, undefined, { signal });
  },
  /** From 0 to just under 1. */
  random: () => Math.random(),
};

export type Clock = typeof systemClock;

/** Milliseconds since 1970 → ISO 8601 in UTC. */
export function toIsoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** ISO 8601 → milliseconds since 1970; NaN for another text. */
export function fromIsoTime(text: string): number {
  return Date.parse(text);
}

/** Of an operation's time: a third, so that an attempt without a response leaves time for others. */
export function attemptMilliseconds(seconds: number): number {
  return (seconds * 1000) / 3;
}

/** The time limit of one operation, for all its requests. Attempts and pauses count. Waiting for a turn doesn't. */
export class TimeBudget {
  #spent = 0;

  constructor(
    readonly seconds: number,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  get remainingMilliseconds(): number {
    return Math.max(0, this.seconds * 1000 - this.#spent);
  }

  get attemptMilliseconds(): number {
    return Math.ceil(Math.min(this.remainingMilliseconds, attemptMilliseconds(this.seconds)));
  }

  async spend<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = this.clock.now();
    try {
      return await work();
    } finally {
      this.#spent += this.clock.now() - start;
    }
  }
}

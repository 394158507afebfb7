/** Starts attempts evenly: so many a second, of all connections to a service together, first come, first served. */
import pLimit from "p-limit";
import type { Clock } from "./clock";

/** On their way, attempts get nearer to each other. So much longer than a second, no second at the service has one too many. */
const second = 1_020;

/** A timer may be so late. What it loses is made up for. */
const lateness = 5;

export class Pace {
  readonly #queue = pLimit(1);
  /** When the next attempt may start, in milliseconds of the clock. */
  #next = 0;

  /** Waits until an attempt may start. Rejects when `signal` aborts. */
  turn(perSecond: number, { now, sleep }: Clock, signal: AbortSignal): Promise<void> {
    return this.#queue(async () => {
      const wait = this.#next - now();
      if (wait > 0) await sleep(wait, signal);
      this.#next = Math.max(this.#next, now() - lateness) + second / perSecond;
    });
  }
}

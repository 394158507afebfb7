/** Starts attempts evenly: so many a second, of all connections to a service together, first come, first served. */
import pLimit from "p-limit";
import type { Clock } from "./clock";

/** A timer may be so late, which is made up for. */
const lateness = 20;

/** So much longer than a second that none has one attempt too many, although attempts may be late and take unequal ways. */
const second = 1_010 + lateness;

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

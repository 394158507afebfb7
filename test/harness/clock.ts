import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../provider/src/service/http/clock";

export interface InstantClock extends Clock {
  /** The pauses that were asked for, in milliseconds. */
  readonly pauses: readonly number[];
  advance(milliseconds: number): void;
}

/** A clock whose pauses take no time: it jumps to their end. `random`: what it draws, always. */
export function instantClock({ random = 0.5 } = {}): InstantClock {
  const pauses: number[] = [];
  let ahead = 0;
  return {
    pauses,
    now: () => performance.now() + ahead,
    date: () => Date.now() + ahead,
    async sleep(milliseconds, signal) {
      pauses.push(milliseconds);
      ahead += milliseconds;
      await setImmediate();
      signal.throwIfAborted();
    },
    random: () => random,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

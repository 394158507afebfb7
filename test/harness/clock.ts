/** The clocks of tests: one without time, one with short pauses, and the real one. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../provider/src/service/http/clock";

export interface InstantClock extends Clock {
  /** The pauses that were asked for, in milliseconds. */
  readonly pauses: readonly number[];
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
  };
}

/** Real time, but with short pauses between attempts, and an end to them; and random numbers that are always the same. */
export class TestClock {
  /** How many attempts failed so that the product waited for another one. */
  pauses = 0;
  /** After so many attempts the next pause is longer than any operation may take. */
  attempts = Infinity;
  /** Called at the next pause. */
  #onPause: (() => Promise<void> | void) | undefined;
  #seed = 1;

  atNextPause(act: () => Promise<void> | void): void {
    this.#onPause = act;
  }

  /** What the product gets. */
  readonly clock: Clock = {
    now: () => performance.now(),
    date: () => Date.now(),
    random: () => (this.pauses + 1 >= this.attempts ? Infinity : this.#random()),
    sleep: async (milliseconds, signal) => {
      this.pauses += 1;
      const act = this.#onPause;
      this.#onPause = undefined;
      await act?.();
      await sleep(milliseconds / 20, undefined, { signal });
    },
  };

  /** A linear congruential generator: good enough to shuffle with. */
  #random(): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.#seed / 2 ** 31;
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

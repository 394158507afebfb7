import { setTimeout as sleep } from "node:timers/promises";
import type { ProductOptions } from "./product";

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
  readonly clock: ProductOptions["clock"] = {
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

/** The clock of tests. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { quietMilliseconds } from "../../../provider/core/deployment/context";
import type { Clock } from "../../../provider/service/http/clock";

export interface ClockOptions {
  /**
   * Pauses take no time: the clock jumps to their end. For operations one at a time, because each jump brings the time limits of all
   * nearer. Default: a pause takes a twentieth of its time.
   */
  readonly jumps?: boolean;
  /** What the clock draws. Default: random numbers, in each run the same. */
  readonly random?: () => number;
}

export class TestClock implements Clock {
  /** The pauses before another attempt, in milliseconds. Those in which the program declares its resources don't count. */
  readonly pauses: number[] = [];
  /** After so many attempts the next pause is longer than any operation may take. */
  attempts = Infinity;
  #ahead = 0;
  #seed = 1;
  #onPause: (() => Promise<void> | void) | undefined;

  constructor(private readonly options: ClockOptions = {}) {}

  /** Calls `act` at the next pause. */
  atNextPause(act: () => Promise<void> | void): void {
    this.#onPause = act;
  }

  readonly now = (): number => performance.now() + this.#ahead;

  readonly date = (): number => Date.now() + this.#ahead;

  readonly random = (): number => {
    if (this.pauses.length + 1 >= this.attempts) return Infinity;
    // A linear congruential generator: good enough to shuffle with.
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.options.random?.() ?? this.#seed / 2 ** 31;
  };

  readonly sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (milliseconds !== quietMilliseconds) await this.#notePause(milliseconds);
    if (!this.options.jumps) return sleep(milliseconds / 20, undefined, { signal });
    this.#ahead += milliseconds;
    await setImmediate();
    signal.throwIfAborted();
  };

  async #notePause(milliseconds: number): Promise<void> {
    this.pauses.push(milliseconds);
    const act = this.#onPause;
    this.#onPause = undefined;
    await act?.();
  }
}

/** For one request at a time. `random`: what it draws. */
export function jumpingClock(random = () => 0.5): TestClock {
  return new TestClock({ jumps: true, random });
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

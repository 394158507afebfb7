// Which runs are to be done, and in which order.
import { contestants, type Contestant } from "./contestants";
import type { Options } from "./options";
import { isMeasured, type Results } from "./results";

export interface PlannedRun {
  readonly contestant: Contestant;
  readonly groups: number;
  /** From 1. */
  readonly repetition: number;
}

/**
 * Every contestant has its turn before any has its next, and each repetition begins with another one, so that a
 * noisy time on the machine doesn't fall on one contestant alone.
 */
export function planOf({ sizes, only, repeat }: Pick<Options, "sizes" | "only" | "repeat">): PlannedRun[] {
  const wanted = contestants.filter(({ id }) => only?.includes(id) ?? true);
  return sizes.flatMap((groups) => {
    const able = wanted.filter(({ mostGroups = Infinity }) => groups <= mostGroups);
    return repetitions(repeat).flatMap((repetition) =>
      rotated(able, repetition - 1).map((contestant) => ({ contestant, groups, repetition })),
    );
  });
}

export function isDone(planned: PlannedRun, { runs }: Pick<Results, "runs">): boolean {
  return runs.some((run) => isMeasured(run) && isSame(planned, run));
}

export function isSame(
  planned: PlannedRun,
  run: { contestant: string; groups: number; repetition: number },
): boolean {
  return (
    run.contestant === planned.contestant.id &&
    run.groups === planned.groups &&
    run.repetition === planned.repetition
  );
}

function repetitions(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

// Medians, ranges, and ratios within one repetition.
import {
  isMeasured,
  type MeasuredOperation,
  type MeasuredRun,
  type Operation,
  type Results,
} from "./results";

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Who did what on how many groups. */
export interface Subject {
  readonly contestant: string;
  readonly groups: number;
}

export function runsOf({ runs }: Results, { contestant, groups }: Subject): MeasuredRun[] {
  return runs.filter(isMeasured).filter((run) => run.contestant === contestant && run.groups === groups);
}

/** Undefined where nothing was measured. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || min === undefined || max === undefined) return undefined;
  return { median: (low + high) / 2, min, max, count: sorted.length };
}

export function valuesOf(
  results: Results,
  subject: Subject,
  operation: Operation,
  value: (measured: MeasuredOperation) => number,
): number[] {
  return runsOf(results, subject)
    .flatMap((run) => measuredIn(run, operation))
    .map(value);
}

/** Wall time of one through that of the other, each taken within one repetition, where the machine was in one mood. */
export function ratiosOf(results: Results, of: Subject, to: Subject, operation: Operation): number[] {
  const others = runsOf(results, to);
  return runsOf(results, of).flatMap((run) => {
    const other = others.find(({ repetition }) => repetition === run.repetition);
    const [mine] = measuredIn(run, operation);
    const [theirs] = other ? measuredIn(other, operation) : [];
    return mine && theirs ? [mine.seconds / theirs.seconds] : [];
  });
}

function measuredIn({ operations }: MeasuredRun, operation: Operation): MeasuredOperation[] {
  return operations.filter((measured) => measured.operation === operation);
}

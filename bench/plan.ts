// The runs to do, in their order, and the results file that they are added to.
import { contestants } from "./contestants";
import type { PlannedRun } from "./measure";
import type { Options } from "./options";
import { readResults, type Results } from "./results";
import { machine, published, versions } from "./setting";

/**
 * In each round, every contestant is measured once. Each round starts with another one, so that a noisy minute doesn't
 * always affect the same contestant.
 */
export function planOf({ sizes, latency, only, repeat, slow }: Options): (PlannedRun & { round: number })[] {
  const pairs = sizes.flatMap((groups) => latency.map((each) => ({ groups, latency: each })));
  return pairs.flatMap((pair) => {
    const able = contestants.filter(
      ({ id, isIdle, mostGroups = Infinity }) =>
        only.includes(id) && (slow || pair.groups <= mostGroups) && !(isIdle && pair.latency > 0),
    );
    return Array.from({ length: repeat }, (_, index) =>
      [...able.slice(index % able.length), ...able.slice(0, index % able.length)].map((contestant) => ({
        contestant,
        ...pair,
        round: index + 1,
      })),
    ).flat();
  });
}

/** The planned runs that the results lack. */
export function missingIn(results: Results, options: Options) {
  return planOf(options).filter(
    ({ contestant: { id }, groups, latency, round }) =>
      !results.runs.some(
        (run) =>
          run.contestant === id && run.groups === groups && run.latency === latency && run.round === round,
      ),
  );
}

/** Throws if the file exists and may not be continued, or was measured with another machine or other versions. */
export function openResults(file: string, resume: boolean, call: readonly string[]): Results {
  const kept = readResults(file);
  if (kept && !resume)
    throw new Error(`${file} exists: continue it with --resume, or name another with --out`);
  const fresh = { machine: machine(), versions: versions() };
  if (!kept)
    return {
      startedAt: new Date().toISOString(),
      calls: [[...call]],
      ...fresh,
      published: published(),
      runs: [],
    };
  for (const fact of ["machine", "versions"] as const)
    if (JSON.stringify(kept[fact]) !== JSON.stringify(fresh[fact]))
      throw new Error(`${file} was measured with another value of "${fact}"`);
  return { ...kept, calls: [...kept.calls, [...call]] };
}

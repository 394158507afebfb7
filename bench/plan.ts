// The runs to do, in their order, and the results file that they are added to.
import { contestants } from "./contestants";
import type { PlannedRun } from "./measure";
import type { Options } from "./options";
import { readResults, runsOf, type Results } from "./results";
import { machine, versions } from "./setting";

/**
 * The planned runs that the results lack. In each round, every contestant is measured once. Each round starts with another
 * one, so that a noisy minute doesn't always affect the same contestant.
 */
export function missingIn(results: Results, { sizes, latency: latencies, only, repeat }: Options) {
  const pairs = sizes.flatMap((groups) => latencies.map((latency) => ({ groups, latency })));
  const planned = pairs.flatMap(({ groups, latency }) => {
    const able = contestants.filter(
      ({ id, isIdle, mostGroups = Infinity }) =>
        only.includes(id) && groups <= mostGroups && !(isIdle && latency > 0),
    );
    return Array.from({ length: repeat }, (_, index) =>
      [...able.slice(index % able.length), ...able.slice(0, index % able.length)].map(
        (contestant): PlannedRun => ({ contestant, groups, latency, round: index + 1 }),
      ),
    ).flat();
  });
  return planned.filter(({ contestant: { id }, groups, latency, round }) =>
    runsOf(results, { contestant: id, groups, latency }).every((run) => run.round !== round),
  );
}

/** Throws if the file exists and may not be continued, or was measured with another machine or other versions. */
export function openResults(file: string, resume: boolean, call: readonly string[]): Results {
  const kept = readResults(file);
  if (kept && !resume) throw new Error(`${file} exists: continue it with --resume, or move it`);
  const fresh = { machine: machine(), versions: versions() };
  const { calls, ...rest } = kept ?? { ...fresh, startedAt: new Date().toISOString(), calls: [], runs: [] };
  for (const fact of ["machine", "versions"] as const)
    if (JSON.stringify(rest[fact]) !== JSON.stringify(fresh[fact]))
      throw new Error(`${file} was measured with another value of "${fact}"`);
  return { ...rest, calls: [...calls, [...call]] };
}

import { operations, type Measured, type Results, type Run } from "../../../bench/results";

/** Results of these runs. */
export function resultsOf(...runs: Results["runs"]): Results {
  return {
    startedAt: "2026-01-02T03:04:05.000Z",
    calls: [["--repeat", "2"]],
    machine: { processor: "Abacus", memory: "4 GiB", system: "Linux 1 x64", backend: "files" },
    versions: { "Node.js": "20.19.0" },
    published: { "Node.js": "2025-03-13" },
    runs,
  };
}

/** A run without latency, whose four operations take so many seconds each. */
export function runOf(
  contestant: string,
  groups: number,
  round: number,
  seconds: readonly [number, number, number, number],
): Run {
  const [up, preview, refresh, destroy] = operations.map((_operation, index): Measured => ({
    seconds: seconds[index] ?? 0,
    peakMemoryMiB: 100,
    cpuSeconds: 1,
    busyElsewhere: 0,
    requests: 10,
  }));
  if (!up || !preview || !refresh || !destroy) throw new Error("There are four operations");
  const which = { contestant, groups, latency: 0, round };
  return { ...which, stateBytes: groups * 200, connections: 2, up, preview, refresh, destroy };
}

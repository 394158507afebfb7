import { operations, type MeasuredOperation, type MeasuredRun, type Results } from "../../../bench/results";

/** Results of these runs, on a machine that never was. */
export function resultsOf(...runs: Results["runs"]): Results {
  return {
    startedAt: "2026-01-02T03:04:05.000Z",
    calls: [["--repeat", "2"]],
    machine: { processor: "Abacus", cores: 2, memoryGiB: 4, system: "Linux 1 x64" },
    versions: { "Node.js": "20.19.0" },
    latency: 0,
    runs,
    profiles: [],
  };
}

/** A run whose four operations take so many seconds each. */
export function runOf(
  contestant: string,
  groups: number,
  repetition: number,
  seconds: readonly [number, number, number, number],
): MeasuredRun {
  const measured = operations.map((operation, index) => ({
    ...quiet,
    operation,
    seconds: seconds[index] ?? 0,
  }));
  return { contestant, groups, repetition, stateBytes: groups * 200, operations: measured };
}

const quiet: Omit<MeasuredOperation, "operation" | "seconds"> = {
  peakMemoryMiB: 100,
  cpuSeconds: { engine: 1 },
  busyElsewhere: 0,
  requests: 10,
  connections: 2,
  peakConnections: 2,
};

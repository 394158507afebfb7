// The file with what was measured, bench/results/<date>.json, and statistics over it.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

export type Results = z.infer<typeof results>;
export type Run = z.infer<typeof run>;
export type Measured = z.infer<typeof measured>;
export type Operation = (typeof operations)[number];
/** What is compared within a round. */
export type Subject = Pick<Run, "contestant" | "groups" | "latency">;
export type Spread = NonNullable<ReturnType<typeof spreadOf>>;

export const operations = ["up", "preview", "refresh", "destroy"] as const;

export function at(contestant: string, groups: number, latency = 0): Subject {
  return { contestant, groups, latency };
}

/** Returns undefined if there is no such file. */
export function readResults(file: string): Results | undefined {
  return existsSync(file) ? results.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** Replaces the file as a whole, so that an interrupted write keeps the old one. Writes a line for each run. */
export function writeResults(file: string, { runs, ...rest }: Results): void {
  mkdirSync(dirname(file), { recursive: true });
  const lines = runs.map((each) => `    ${JSON.stringify(each, rounded)}`).join(",\n");
  const head = JSON.stringify(rest, undefined, 2).replace(/\n}$/, "");
  writeFileSync(`${file}.part`, `${head},\n  "runs": [\n${lines}\n  ]\n}\n`);
  renameSync(`${file}.part`, file);
}

export function runsOf({ runs }: Results, { contestant, groups, latency }: Subject): Run[] {
  return runs.filter(
    (run) => run.contestant === contestant && run.groups === groups && run.latency === latency,
  );
}

/** Returns undefined if there are no values. */
export function spreadOf(values: readonly number[]) {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return undefined;
  return { median: (low + high) / 2, min: sorted[0] ?? low, max: sorted.at(-1) ?? high };
}

export function secondsOf(results: Results, subject: Subject, operation: Operation): Spread | undefined {
  return spreadOf(runsOf(results, subject).map((run) => run[operation].seconds));
}

/** The wall time of one divided by that of the other, each within one round. */
export function ratioOf(results: Results, of: Subject, to: Subject, operation: Operation) {
  const others = new Map(runsOf(results, to).map((run) => [run.round, run[operation].seconds]));
  const ratios = runsOf(results, of).map((run) => run[operation].seconds / (others.get(run.round) ?? NaN));
  return spreadOf(ratios.filter((ratio) => !Number.isNaN(ratio)));
}

const measured = z.object({
  seconds: z.number(),
  peakMemoryMiB: z.number(),
  cpuSeconds: z.number(),
  requests: z.number(),
});

const run = z.object({
  contestant: z.string(),
  groups: z.number(),
  latency: z.number(),
  /** From 1. */
  round: z.number(),
  stateBytes: z.number(),
  up: measured,
  preview: measured,
  refresh: measured,
  destroy: measured,
  /** Of contestants whose names change: the `up` with the new names, and the next one. */
  renames: z.array(measured.extend({ stateBytes: z.number() })).optional(),
});

const setting = z.record(z.string(), z.string());

const results = z.object({
  startedAt: z.string(),
  /** The flags of each call that added to it. */
  calls: z.array(z.array(z.string())),
  /** Processor, memory, system, and the engine's backend. */
  machine: setting,
  versions: setting,
  runs: z.array(run),
});

function rounded(_key: string, part: unknown): unknown {
  return typeof part === "number" ? Math.round(part * 1000) / 1000 : part;
}

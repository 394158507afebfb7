/** The file with what was measured, tools/bench/results/<date>.json, and medians over it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

export type Results = z.infer<typeof results>;
export type Run = z.infer<typeof run>;
export type Measured = z.infer<typeof measured>;
export type Operation = "up" | "preview" | "refresh" | "destroy";
/** What is measured in each round. */
export type Subject = Pick<Run, "contestant" | "groups" | "latency">;

const measured = z.object({ seconds: z.number(), requests: z.number() });

const run = z.object({
  contestant: z.string(),
  groups: z.number(),
  /** Milliseconds before each response of the service. */
  latency: z.number(),
  /** From 1. */
  round: z.number(),
  stateBytes: z.number(),
  up: measured,
  preview: measured,
  refresh: measured,
  destroy: measured,
});

const results = z.object({
  startedAt: z.string(),
  /** The flags of each call that added to it. */
  calls: z.array(z.array(z.string())),
  /** Processor, memory, system, and the engine's backend. */
  machine: z.record(z.string(), z.string()),
  versions: z.record(z.string(), z.string()),
  runs: z.array(run),
});

/** Returns undefined if there is no such file. */
export function readResults(file: string): Results | undefined {
  return existsSync(file) ? results.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

export function writeResults(file: string, all: Results): void {
  writeFileSync(file, `${JSON.stringify(all, rounded, 1)}\n`);
}

function rounded(_key: string, part: unknown): unknown {
  return typeof part === "number" ? Math.round(part * 1000) / 1000 : part;
}

export function runsOf({ runs }: Results, { contestant, groups, latency }: Subject): Run[] {
  return runs.filter(
    (each) => each.contestant === contestant && each.groups === groups && each.latency === latency,
  );
}

/** Over the rounds. Undefined if the subject wasn't measured. */
export function medianOf(results: Results, subject: Subject, value: (run: Run) => number) {
  const values = runsOf(results, subject).map(value);
  values.sort((one, other) => one - other);
  const low = values[Math.ceil(values.length / 2) - 1];
  const high = values[Math.floor(values.length / 2)];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

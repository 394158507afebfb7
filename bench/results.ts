// What was measured, and the file that keeps it: bench/results/<date>.json.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

export type Results = z.infer<typeof results>;
export type Run = z.infer<typeof run>;
export type MeasuredRun = Extract<Run, { operations: unknown }>;
export type MeasuredOperation = z.infer<typeof operation>;
export type Profile = z.infer<typeof profile>;

export const operations = ["up", "preview", "refresh", "destroy"] as const;

export type Operation = (typeof operations)[number];

/** Undefined where there is no such file. */
export function readResults(file: string): Results | undefined {
  return existsSync(file) ? results.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** Replaces the file as a whole, so that one that is cut short leaves the old one. */
export function writeResults(file: string, content: Results): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, textOf(content));
  renameSync(`${file}.part`, file);
}

export function isMeasured(run: Run): run is MeasuredRun {
  return "operations" in run;
}

const cpuSeconds = z.record(z.string(), z.number());

const operation = z.object({
  operation: z.enum(operations),
  /** Wall time, from the start of the command to its end. */
  seconds: z.number(),
  /** The largest sum of the resident sets of all its processes. */
  peakMemoryMiB: z.number(),
  /** Processor seconds by part: engine, program, provider, service and so on. */
  cpuSeconds,
  /** Processors that were busy with something else meanwhile: what says that the machine wasn't quiet. */
  busyElsewhere: z.number(),
  requests: z.number(),
  connections: z.number(),
  peakConnections: z.number(),
});

const which = { contestant: z.string(), groups: z.number(), repetition: z.number() };

const run = z.union([
  z.object({ ...which, stateBytes: z.number(), operations: z.array(operation) }),
  z.object({ ...which, failure: z.string() }),
]);

const profile = z.object({
  contestant: z.string(),
  groups: z.number(),
  operation: z.enum(operations),
  process: z.enum(["program", "provider"]),
  /** Seconds by where the time went. */
  seconds: z.record(z.string(), z.number()),
});

const results = z.object({
  startedAt: z.string(),
  /** The flags of each call that added to it. */
  calls: z.array(z.array(z.string())),
  machine: z.object({ processor: z.string(), cores: z.number(), memoryGiB: z.number(), system: z.string() }),
  versions: z.record(z.string(), z.string()),
  latency: z.number(),
  runs: z.array(run),
  profiles: z.array(profile).default([]),
});

/** One line for each run. */
function textOf(content: Results): string {
  const fields = Object.entries(content).map(([name, value]: [string, unknown]) => {
    const lines = Array.isArray(value) ? value.map((each) => `    ${rounded(each)}`).join(",\n") : "";
    return `  ${JSON.stringify(name)}: ${lines === "" ? rounded(value) : `[\n${lines}\n  ]`}`;
  });
  return `{\n${fields.join(",\n")}\n}\n`;
}

function rounded(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "number" ? Math.round(part * 1000) / 1000 : part,
  );
}

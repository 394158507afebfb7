// Does the planned runs one after the other, and keeps the results after each.
import { machine, versions } from "./machine";
import { measureRun } from "./measure";
import type { Options } from "./options";
import { isDone, isSame, type PlannedRun } from "./plan";
import { profileRun } from "./profile";
import { readResults, writeResults, type MeasuredRun, type Results } from "./results";

export interface Session {
  readonly file: string;
  readonly results: Results;
}

/** `call` are the flags that the page shows. Throws where a file is to be added to that was measured on something else. */
export function openSession(file: string, options: Options, call: readonly string[]): Session {
  const fresh: Results = {
    startedAt: new Date().toISOString(),
    calls: [[...call]],
    machine: machine(),
    versions: versions(),
    latency: options.latency,
    runs: [],
    profiles: [],
  };
  const kept = readResults(file);
  if (kept && !options.resume && !options.profile)
    throw new Error(`${file} is there: --resume adds to it, and --out names another`);
  if (!kept) return { file, results: fresh };
  for (const fact of ["machine", "versions", "latency"] as const)
    if (JSON.stringify(kept[fact]) !== JSON.stringify(fresh[fact]))
      throw new Error(`${file} can't be added to: ${fact} isn't what it was`);
  return { file, results: { ...kept, calls: [...kept.calls, [...call]] } };
}

/** Whether all were done and none failed. An abort ends it with what there is. */
export async function measureAll(
  { file, results }: Session,
  plan: readonly PlannedRun[],
  signal: AbortSignal,
): Promise<boolean> {
  const missing = plan.filter((planned) => !isDone(planned, results));
  for (const [index, planned] of missing.entries()) {
    if (signal.aborted) break;
    const outcome = await outcomeOf(planned, results.latency, signal);
    if (outcome === undefined) break;
    console.log(`[${index + 1}/${missing.length}] ${nameOf(planned)}: ${lineOf(outcome)}`);
    const { contestant, groups, repetition } = planned;
    results.runs = results.runs.filter((run) => !isSame(planned, run));
    results.runs.push({ contestant: contestant.id, groups, repetition, ...outcome });
    writeResults(file, results);
  }
  return plan.every((planned) => isDone(planned, results));
}

/** Replaces the profiles of the same contestant at the same size. */
export async function profileAll(
  { file, results }: Session,
  subjects: readonly Omit<PlannedRun, "repetition">[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { contestant, groups } of subjects) {
    const profiles = await profileRun(contestant, groups, signal);
    results.profiles = results.profiles.filter(
      (each) => each.contestant !== contestant.id || each.groups !== groups,
    );
    results.profiles.push(...profiles);
    writeResults(file, results);
  }
  return true;
}

type Outcome = Pick<MeasuredRun, "stateBytes" | "operations"> | { failure: string };

/** Undefined where it was aborted. */
async function outcomeOf(
  { contestant, groups }: PlannedRun,
  latency: number,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    return await measureRun({ contestant, groups, latency }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    const message = error instanceof Error ? error.message : String(error);
    console.error(message);
    return { failure: message.split("\n")[0] ?? "" };
  }
}

function nameOf({ contestant, groups, repetition }: PlannedRun): string {
  return `${contestant.id}, ${groups} groups, repetition ${repetition}`;
}

function lineOf(outcome: Outcome): string {
  if ("failure" in outcome) return "failed";
  const times = outcome.operations.map(({ operation, seconds }) => `${operation} ${seconds.toFixed(2)} s`);
  const elsewhere = Math.max(...outcome.operations.map(({ busyElsewhere }) => busyElsewhere));
  return `${times.join(", ")}; ${elsewhere.toFixed(2)} processors busy elsewhere`;
}

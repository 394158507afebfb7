// `npm run bench`: options.ts has its flags. `npm run docs` writes the newest results into the pages.
import { join } from "node:path";
import { measureRun } from "./measure";
import { help, optionsFrom, type Options } from "./options";
import { buildPeer } from "./peer";
import { missingIn, openResults } from "./plan";
import { operations, writeResults, type Run } from "./results";

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(flags: readonly string[]): Promise<void> {
  const options = optionsFrom(flags);
  if (options.help) console.log(help);
  else await measureAll(options, flags, stopSignal());
}

async function measureAll(options: Options, flags: readonly string[], signal: AbortSignal): Promise<void> {
  const file = join(__dirname, "results", `${new Date().toISOString().slice(0, 10)}.json`);
  const results = openResults(file, options.resume, flags);
  const missing = missingIn(results, options);
  if (missing.some((planned) => planned.contestant.engine === "opentofu")) await buildPeer(signal);
  for (const [index, planned] of missing.entries()) {
    const run = await measureRun(planned, signal).catch((error: unknown) => {
      if (!signal.aborted) console.error(error instanceof Error ? error.message : error);
    });
    if (signal.aborted) break;
    const { contestant, groups, latency, round } = planned;
    const name = `${contestant.id}, ${groups} groups, ${latency} ms, round ${round}`;
    console.log(`[${index + 1}/${missing.length}] ${name}: ${run ? lineOf(run) : "failed"}`);
    if (run) results.runs.push(run);
    writeResults(file, results);
  }
  const left = missingIn(results, options).length;
  if (left > 0) process.exitCode = 1;
  console.log(`Results: ${file}${left > 0 ? ` (${left} runs are missing: --resume adds them)` : ""}`);
}

/** Aborts on an interrupt. A second interrupt ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => {
      stop.abort(new Error(`Stopped by ${name}`));
    });
  return stop.signal;
}

function lineOf(run: Run): string {
  const times = operations.map((operation) => `${operation} ${run[operation].seconds.toFixed(2)} s`);
  const renames = (run.renames ?? []).map(({ seconds }) => `renamed ${seconds.toFixed(2)} s`);
  return [...times, ...renames].join(", ");
}

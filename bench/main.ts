// `npm run bench`: see options.ts for its flags, and docs/performance.md for what came of it.
import { join } from "node:path";
import type { Contestant } from "./contestants";
import { help, optionsFrom, type Options } from "./options";
import { buildPeer } from "./peer";
import { planOf } from "./plan";
import { measureAll, openSession } from "./session";

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(args: readonly string[]): Promise<void> {
  const options = optionsFrom(args);
  if (options.help) console.log(help);
  else await measure(options, args);
}

async function measure(options: Options, args: readonly string[]): Promise<void> {
  const signal = stopSignal(options.minutes);
  const plan = planOf(options);
  if (plan.some(({ contestant }) => isPeer(contestant))) await buildPeer(signal);
  const session = openSession(options.out ?? dated(), options, args);
  const isComplete = await measureAll(session, plan, signal);
  console.log(`Results: ${session.file}${isComplete ? "" : " (incomplete; --resume adds the rest)"}`);
  if (!isComplete) process.exitCode = 1;
}

/** Aborts on an interrupt and when time is up. A second interrupt ends the process at once. */
function stopSignal(minutes: number | undefined): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => {
      stop.abort(new Error("Interrupted"));
    });
  if (minutes !== undefined)
    setTimeout(() => {
      stop.abort(new Error("Time is up"));
    }, minutes * 60_000).unref();
  return stop.signal;
}

function isPeer({ engine }: Contestant): boolean {
  return engine === "opentofu";
}

function dated(): string {
  return join(__dirname, "results", `${new Date().toISOString().slice(0, 10)}.json`);
}

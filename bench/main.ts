// `npm run bench`: see options.ts for its flags, and docs/performance.md for what came of it.
import { join, resolve } from "node:path";
import { contestant } from "./contestants";
import { help, isWhole, optionsFrom, type Options } from "./options";
import { writePage } from "./page";
import { buildPeer } from "./peer";
import { planOf } from "./plan";
import { measureAll, openSession, profileAll, type Session } from "./session";

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(flags: readonly string[]): Promise<void> {
  const options = optionsFrom(flags);
  if (options.help) console.log(help);
  else if (options.page !== undefined) await writePage(resolve(options.page));
  else await work(options, flags);
}

async function work(options: Options, flags: readonly string[]): Promise<void> {
  const signal = stopSignal(options.minutes);
  const session = openSession(resolve(options.out ?? datedFile()), options, withoutFiles(flags));
  const isComplete = options.profile
    ? await profileAll(session, profiled(options), signal)
    : await measure(session, options, signal);
  if (signal.reason instanceof Error) console.error(signal.reason.message);
  console.log(`Results: ${session.file}${isComplete ? "" : " (incomplete; --resume adds the rest)"}`);
  if (!isComplete) process.exitCode = 1;
  else if (isWhole(options)) await writePage(session.file);
}

async function measure(session: Session, options: Options, signal: AbortSignal): Promise<boolean> {
  const plan = planOf(options);
  if (plan.some((planned) => planned.contestant.engine === "opentofu")) await buildPeer(signal);
  return measureAll(session, plan, signal);
}

/** Those of our own whose profile says something, at the largest size that each can do. */
function profiled({ sizes, only }: Options) {
  const ids = only ?? ["a-user-groups", "a-user-groups-ts"];
  return ids.map(contestant).map((each) => ({
    contestant: each,
    groups: Math.max(...sizes.filter((groups) => groups <= (each.mostGroups ?? Infinity))),
  }));
}

/** Aborts on an interrupt and when time is up. A second interrupt ends the process at once. */
function stopSignal(minutes: number | undefined): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => {
      stop.abort(new Error(`Stopped by ${name}`));
    });
  if (minutes !== undefined)
    setTimeout(() => {
      stop.abort(new Error("Time is up"));
    }, minutes * 60_000).unref();
  return stop.signal;
}

/** Where somebody keeps results is nobody else's business. */
function withoutFiles(flags: readonly string[]): string[] {
  return flags.filter((flag, index) => !/^--out\b/.test(flag) && flags[index - 1] !== "--out");
}

function datedFile(): string {
  return join(__dirname, "results", `${new Date().toISOString().slice(0, 10)}.json`);
}

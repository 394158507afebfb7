/**
 * Work on many groups, `maxConnections` at a time: a failure of one doesn't stop the others. And what a partial failure leaves: its state,
 * its errors and its warnings.
 */
import pLimit from "p-limit";
import {
  errorOf,
  firstFew,
  toUserGroupError,
  UserGroupError,
  type GroupName,
  type Subject,
} from "../../errors";
import type { ErrorCode } from "../../messages/catalogue";
import { message, note } from "../../messages/message";
import type { Settings } from "../../settings/readSettings";
import type { JsonObject } from "../../values";
import type { Logger, ResourceContext } from "../deployment/context";
import { NotRecreatedError } from "../messages/groupErrors";
import type { WarningLine } from "../messages/warnings";

/** Groups whose work failed, and those that weren't tried. */
export interface Failures {
  readonly failed: readonly (GroupName & { readonly error: UserGroupError })[];
  /** After too many failures of the service in a row, or after a cancel, which is their error. */
  readonly untried: readonly (GroupName & { readonly error?: UserGroupError | undefined })[];
}

/** Failures that may concern the whole service, not one group. */
const serviceFailures = new Set<ErrorCode>([
  "certificate-untrusted",
  "connection-failed",
  "host-not-found",
  "not-found",
  "redirected",
  "response-invalid",
  "timed-out",
  "unauthorized",
  "unexpected-status",
]);

/** After this many in a row, or a first round without a success, the other groups would probably fail, too. */
const maxServiceFailures = 20;

/** Somebody who waits sees early that the work goes on, and a log of a long run stays short. */
const secondsToFirstReport = 1;
const secondsBetweenReports = 5;

export async function eachGroup<Item extends GroupName>(
  items: readonly Item[],
  context: Pick<ResourceContext, "logger" | "clock" | "signal"> & {
    readonly settings: Pick<Settings, "maxConnections">;
  },
  work: (item: Item) => Promise<void>,
): Promise<Failures> {
  const { clock, settings, logger } = context;
  const { maxConnections } = settings;
  const progress: Progress = { failed: [], untried: [], done: 0, failuresInARow: 0 };
  let endFirstRound: () => void = () => undefined;
  const firstRound = new Promise<void>((resolve) => {
    endFirstRound = resolve;
  });
  let ended = 0;
  let reports = 0;
  let nextReport = clock.date() + secondsToFirstReport * 1000;
  const report = () => {
    const failed = progress.failed.length;
    const failures = failed > 0 ? `, ${failed} failed` : "";
    logger.info(`${progress.done - failed} of ${items.length} user groups done${failures}.`, true);
    reports += 1;
    nextReport = clock.date() + secondsBetweenReports * 1000;
  };
  // A different order in each run. Otherwise groups that always fail could stop the others in every run.
  const drawn = items.map((item) => ({ item, rank: clock.random() }));
  drawn.sort((one, other) => one.rank - other.rank);
  await pLimit(maxConnections).map(drawn, async ({ item }, index) => {
    if (index >= maxConnections) await firstRound;
    await attempt(item, progress, context, work);
    ended += 1;
    // A success, or a failure of a group, ends the first round, too.
    if (progress.failuresInARow === 0 || ended >= maxConnections) endFirstRound();
    if (ended < items.length && clock.date() >= nextReport) report();
  });
  // The engine keeps showing the last one beside the resource.
  if (reports > 0) report();
  return { failed: progress.failed, untried: progress.untried };
}

interface Progress {
  readonly failed: Failures["failed"][number][];
  readonly untried: Failures["untried"][number][];
  done: number;
  failuresInARow: number;
}

async function attempt<Item extends GroupName>(
  item: Item,
  progress: Progress,
  {
    signal,
    settings,
  }: Pick<ResourceContext, "signal"> & { readonly settings: Pick<Settings, "maxConnections"> },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const { userGroupId } = item;
  const { failuresInARow, done } = progress;
  const isFirstRoundFailed = failuresInARow >= settings.maxConnections && failuresInARow === done;
  if (signal.aborted) {
    progress.untried.push({ userGroupId, error: errorOf(message("operation-cancelled")) });
    return;
  }
  if (failuresInARow >= maxServiceFailures || isFirstRoundFailed) {
    progress.untried.push({ userGroupId });
    return;
  }
  const error = await work(item).then(
    () => undefined,
    (thrown: unknown) => toUserGroupError(thrown),
  );
  if (error?.code === "cancelled" && !(error instanceof NotRecreatedError)) {
    progress.untried.push({ userGroupId, error });
    return;
  }
  progress.failuresInARow = error && isOfService(error) ? progress.failuresInARow + 1 : 0;
  if (error) progress.failed.push({ userGroupId, error });
  progress.done += 1;
}

function isOfService({ code, facts }: UserGroupError): boolean {
  return serviceFailures.has(code) && !facts.isOfOneRequest;
}

/** The state of a resource after an operation, all secrets in plain text. */
export interface ResourceState {
  readonly id: string;
  readonly state: JsonObject;
  /** The operation failed in part. The state has the completed changes. */
  readonly failure?:
    | {
        readonly error: UserGroupError;
        readonly reasons: readonly string[];
        /** Logs the failure as a warning, if the state is too large for an error. */
        readonly warn: () => void;
      }
    | undefined;
}

export function isComplete({ failed, untried }: Failures): boolean {
  return failed.length === 0 && untried.length === 0;
}

/** What an operation on one or on many groups records in spite of failures. */
export function partialFailure(
  failures: Failures,
  operation: Subject["operation"],
  isOne: boolean,
  logger: Logger,
): NonNullable<ResourceState["failure"]> {
  const { error, others } = isOne
    ? { error: onlyFailure(failures), others: [] }
    : failureOf(failures, operation, "failed-in-part");
  const warn = () => {
    logger.warn(asWarning(error, [...others, note("as-warning")]));
  };
  return { error, reasons: [error.message, ...others], warn };
}

/** The error of the only group of a resource. */
export function onlyFailure({ failed, untried }: Failures): UserGroupError {
  const first = failed.at(0) ?? untried.at(0);
  return first?.error ?? errorOf(message("operation-cancelled"));
}

/** A refresh stores what was read. A warning names the groups that failed, which keep their state. */
export function warnOfFailures(failures: Failures, logger: Logger): void {
  const { error, others } = failureOf(failures, "read", "read-in-part");
  logger.warn(asWarning(error, others));
}

/** One line, which ends with the code of the summary. */
function asWarning({ code, sentence }: UserGroupError, others: readonly string[]): WarningLine {
  return `${[sentence, ...others].join(" ")} [${code}]`;
}

/** For operations that can't record a partial result, on so many groups. */
export function unrecordedFailure(
  failures: Failures,
  operation: Subject["operation"],
  count: number,
): UserGroupError {
  const isNothingDone = failures.failed.length + failures.untried.length === count;
  const isDeletedInPart = operation === "delete" && !isNothingDone;
  const text = isDeletedInPart ? "deleted-in-part" : "failed-without-record";
  const { error, others } = failureOf(failures, operation, text);
  return new UserGroupError(error.code, [error.sentence, ...others].join(" "));
}

/** A summary with the remedy, then each cause once, with the groups that have it. A cancel alone is no failure of a group. */
function failureOf(
  { failed, untried }: Failures,
  operation: Subject["operation"],
  text: "failed-in-part" | "read-in-part" | "deleted-in-part" | "failed-without-record",
) {
  const isCancelled = untried.some(({ error }) => error?.code === "cancelled");
  const causes = groupedByCause(failed);
  const others = [
    ...causes.slice(0, mostCauses).map(causeOf),
    ...(causes.length > mostCauses ? [`Also failed: ${firstFew(causes.slice(mostCauses).flat())}.`] : []),
    ...(untried.length > 0 ? [`Not tried: ${firstFew(untried)}.`] : []),
  ];
  const said = message(text, { operation, failures: reasonsOf(failed.length, untried.length, isCancelled) });
  const code = isCancelled && failed.length === 0 ? "cancelled" : said.code;
  return { error: errorOf({ ...said, code }), others };
}

function reasonsOf(failed: number, untried: number, isCancelled: boolean): string {
  const failures =
    failed > 0 || !isCancelled ? [`${failed} user ${failed === 1 ? "group" : "groups"} failed`] : [];
  if (isCancelled) failures.push("the run was cancelled");
  if (untried > 0) failures.push(`${untried} ${untried === 1 ? "was" : "were"} not tried`);
  return failures.join(", and ");
}

/** More causes would hide the rest. */
const mostCauses = 10;

/** The failed groups of each cause. */
function groupedByCause(failed: Failures["failed"]): Failures["failed"][number][][] {
  const causes = new Map<string, Failures["failed"][number][]>();
  for (const each of failed) {
    const same = causes.get(each.error.causeKey);
    if (same) same.push(each);
    else causes.set(each.error.causeKey, [each]);
  }
  return [...causes.values()];
}

function causeOf([first, ...more]: Failures["failed"]): string {
  const message = first?.error.message ?? "";
  if (more.length === 0) return message;
  return `${message} The same for ${more.length} more: ${firstFew(more)}.`;
}

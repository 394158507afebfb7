/** The errors and warnings of an operation of which a part failed, and the state that it leaves. */
import { firstFew, UserGroupError, type Subject } from "../../errors";
import { quoted } from "../../text";
import type { Logger } from "../deployment/context";
import type { Failures } from "./eachGroup";
import type { WarningLine } from "../messages/warnings";
import type { JsonObject } from "../../values";

type Operation = Subject["operation"];

/** The state of a resource after an operation, all secrets in plain text. */
export interface ResourceState {
  readonly id: string;
  readonly state: JsonObject;
  /** The operation failed in part. The state has the completed changes. */
  readonly failure?: Failure | undefined;
}

export interface Failure {
  readonly error: UserGroupError;
  readonly reasons: readonly string[];
  /** Logs the failure as a warning, if the state is too large for an error. */
  readonly warn: () => void;
}

export function isComplete({ failed, untried }: Failures): boolean {
  return failed.length === 0 && untried.length === 0;
}

interface Conditions {
  readonly operation: Operation;
  readonly isOne: boolean;
  readonly logger: Logger;
}

/** The state of the completed changes, with the failure if there was one. */
export function withFailures(
  done: ResourceState,
  failures: Failures,
  { operation, isOne, logger }: Conditions,
): ResourceState {
  if (isComplete(failures)) return done;
  const { error, others } = isOne ? onlyFailure(failures) : failureOf(failures, operation, doTheRest);
  const warn = () => {
    logger.warn(
      asWarning(error, [...others, "This is a warning because an error can't carry a state of this size."]),
    );
  };
  return { ...done, failure: { error, reasons: [error.message, ...others], warn } };
}

const doTheRest = "The state has every completed change. Run pulumi up again to do the rest.";

/** The error of the only group of a resource. */
export function onlyFailure({ failed, untried }: Failures): { error: UserGroupError; others: string[] } {
  const first = failed.at(0) ?? untried.at(0);
  const cancelled = new UserGroupError(
    "cancelled",
    "Cannot continue: the operation was cancelled. Run the same command again.",
  );
  return { error: first?.error ?? cancelled, others: [] };
}

/** A refresh stores what was read. A warning names the groups that failed, which keep their state. */
export function warnOfFailures(failures: Failures, logger: Logger): void {
  if (isComplete(failures)) return;
  const remedy =
    "They keep their state, and what was read of the others is stored. Run pulumi refresh again.";
  const { error, others } = failureOf(failures, "read", remedy);
  logger.warn(asWarning(error, others));
}

/** One line, which ends with the code of the summary. */
function asWarning({ code, sentence }: UserGroupError, others: readonly string[]): WarningLine {
  return `${[sentence, ...others].join(" ")} [${code}]`;
}

/** For operations that can't record a partial result, on so many groups. */
export function unrecordedFailure(failures: Failures, operation: Operation, count: number): UserGroupError {
  const remedies = {
    delete:
      "The state still has every group, including the deleted ones. Run the same command again to delete the rest, or run " +
      "pulumi refresh to create the deleted groups again, with new tokens. pulumi up alone sees no difference.",
    none: "Nothing was recorded. Resolve the errors, then run the same command again.",
  };
  const isNothingDone = failures.failed.length + failures.untried.length === count;
  const remedy = operation === "delete" && !isNothingDone ? remedies.delete : remedies.none;
  const { error, others } = failureOf(failures, operation, remedy);
  return new UserGroupError(error.code, [error.sentence, ...others].join(" "));
}

/** A summary with the remedy, then each cause once, with the groups that have it. */
function failureOf({ failed, untried }: Failures, operation: Operation, remedy: string) {
  const rest = untried.length > 0 ? `, and ${untried.length} were not tried` : "";
  const groups = failed.length === 1 ? "user group" : "user groups";
  const summary = `Cannot ${operation} all user groups: ${failed.length} ${groups} failed${rest}.`;
  const causes = groupedByCause(failed);
  const others = [
    ...causes.slice(0, mostCauses).map(([first, ...more]) => causeOf(first, more)),
    ...(causes.length > mostCauses ? [`Also failed: ${firstFew(causes.slice(mostCauses).flat())}.`] : []),
    ...(untried.length > 0 ? [`Not tried: ${firstFew(untried)}.`] : []),
  ];
  return { error: new UserGroupError("partial-failure", `${summary} ${remedy}`), others };
}

type Failed = Failures["failed"][number];

/** More causes would hide the rest. */
const mostCauses = 10;

/** Errors are of one cause if they differ only in the group's name and in the number of attempts. */
function groupedByCause(failed: readonly Failed[]): [Failed, ...Failed[]][] {
  const causes = new Map<string, [Failed, ...Failed[]]>();
  for (const each of failed) {
    const cause = each.error.message
      .replaceAll(quoted(each.userGroupId), "")
      .replace(/, \d+ attempts\)/, ")");
    const same = causes.get(cause);
    if (same) same.push(each);
    else causes.set(cause, [each]);
  }
  return [...causes.values()];
}

function causeOf({ error }: Failed, more: readonly Failed[]): string {
  if (more.length === 0) return error.message;
  return `${error.message} The same for ${more.length} more: ${firstFew(more)}.`;
}

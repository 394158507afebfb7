/** The errors and warnings of an operation of which a part failed, and the state that it leaves. */
import { firstFew, UserGroupError, type Subject } from "../errors";
import type { Logger } from "./deployment";
import type { Failures } from "./eachGroup";
import type { ResourceState } from "./lifecycle";
import type { WarningLine } from "./previewWarnings";
import { maxFailureBytes, structBytes } from "./sizeLimit";

type Operation = Subject["operation"];

export function isComplete({ failed, untried }: Failures): boolean {
  return failed.length === 0 && untried.length === 0;
}

interface Conditions {
  readonly operation: Operation;
  readonly isOne: boolean;
  readonly logger: Logger;
}

/**
 * The state of the completed changes, with the failure if there was one. A service may return values of any size. If the
 * state is too large for an error, the failure becomes a warning, because an error would lose the state.
 */
export function withFailures(
  done: ResourceState,
  failures: Failures,
  { operation, isOne, logger }: Conditions,
): ResourceState {
  if (isComplete(failures)) return done;
  const { error, others } = isOne ? onlyFailure(failures) : failureOf(failures, operation, doTheRest);
  if (structBytes(done.state) <= maxFailureBytes)
    return { ...done, failure: { error, reasons: [error.message, ...others] } };
  logger.warn(
    asWarning(error, [...others, "This is a warning because an error can't carry a state of this size."]),
  );
  return done;
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

/** A summary with the remedy, and the first errors, which are enough, because most are alike. */
function failureOf({ failed, untried }: Failures, operation: Operation, remedy: string) {
  const rest = untried.length > 0 ? `, and ${untried.length} were not tried` : "";
  const groups = failed.length === 1 ? "user group" : "user groups";
  const summary = `Cannot ${operation} all user groups: ${failed.length} ${groups} failed${rest}.`;
  const more = failed.slice(10);
  const others = [
    ...failed.slice(0, 10).map(({ error }) => error.message),
    ...(more.length > 0 ? [`Also failed: ${firstFew(more)}.`] : []),
    ...(untried.length > 0 ? [`Not tried: ${firstFew(untried)}.`] : []),
  ];
  return { error: new UserGroupError("partial-failure", `${summary} ${remedy}`), others };
}

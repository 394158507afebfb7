/** Errors of an operation on many groups that some of them didn't survive. */
import { firstFew, UserGroupError, type Subject } from "../errors";
import { isObject } from "../schema";
import type { Failures } from "./eachGroup";

/** With `id`, `properties` and `reasons` the SDK records the resource, and the engine prints the reasons. */
class UnfinishedError extends UserGroupError {
  readonly reasons: string[];

  constructor(
    failures: Failures,
    operation: Subject["operation"],
    readonly id: string,
    /** The whole record, with the provider, which the SDK doesn't add here. */
    readonly properties: object,
  ) {
    super(
      "unfinished",
      `${summaryOf(failures, operation)} What was done is recorded, and the next pulumi up does the rest.`,
    );
    this.reasons = [this.message, ...sentencesOf(failures)];
  }
}

/** The outputs, or, if some groups failed, the error that records them all the same. */
export function orUnfinished<Outputs extends object>(
  failures: Failures,
  operation: Subject["operation"],
  id: string,
  inputs: unknown,
  outputs: Outputs,
): Outputs {
  if (failures.failed.length === 0) return outputs;
  throw new UnfinishedError(failures, operation, id, { ...outputs, ...providerOf(inputs) });
}

/** For operations that can't record what they have done. Doing all of it again does no harm. */
export function unrecorded(failures: Failures, operation: Subject["operation"]): UserGroupError {
  const sentences = [summaryOf(failures, operation), ...sentencesOf(failures)];
  return new UserGroupError(
    "unfinished",
    `${sentences.join(" ")} Run the same command again: it goes on from there.`,
  );
}

function providerOf(inputs: unknown): object {
  return isObject(inputs) && "__provider" in inputs ? { __provider: inputs.__provider } : {};
}

function summaryOf({ failed, untried }: Failures, operation: string): string {
  const tried = untried.length > 0 ? `, and ${untried.length} were not tried after that` : "";
  return `Cannot ${operation} all user groups: ${failed.length} failed${tried}.`;
}

/** Of many errors the first are enough: most are alike. */
function sentencesOf({ failed, untried }: Failures): string[] {
  const shown = failed.slice(0, 10).map(({ error }) => error.message);
  const more = failed.slice(10).map(({ userGroupId }) => userGroupId);
  return [
    ...shown,
    ...(more.length > 0 ? [`Also failed: ${firstFew(more)}.`] : []),
    ...(untried.length > 0 ? [`Not tried: ${firstFew(untried)}.`] : []),
  ];
}

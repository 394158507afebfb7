import type { ResourceState } from "../core/lifecycle";
import { UserGroupError } from "../errors";
import type { ValidationIssue } from "../validation";
import { isObject, secret, type JsonObject } from "../values";

/** The outputs that are always secret. `shown` and `sent` may hold secret properties. */
export const secretOutputs = ["token", "tokens", "shown", "sent"];

/** Marks secrets also in the state, because a stack transformation can replace the option `additionalSecretOutputs`. */
export function wireOutputs(state: JsonObject): JsonObject {
  const outputs = defined(state);
  for (const name of secretOutputs) if (name in outputs) outputs[name] = secret(outputs[name]);
  return outputs;
}

/** Removes undefined at any depth, because it can't be sent. */
export function defined(value: JsonObject): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isObject(copy) ? copy : {};
}

/** An operation failed in part: the engine records the resource, and prints the reasons. */
export class PartialFailureError extends UserGroupError {
  constructor(
    { code, sentence }: UserGroupError,
    readonly reasons: readonly string[],
    readonly id: string,
    readonly properties: JsonObject,
  ) {
    super(code, sentence);
  }
}

/** The outputs of a create or an update. Throws a PartialFailureError, which records `others` as well. */
export function outputsOf({ id, state, failure }: ResourceState, others: JsonObject = {}): JsonObject {
  const outputs = wireOutputs(state);
  if (failure) throw new PartialFailureError(failure.error, failure.reasons, id, { ...outputs, ...others });
  return outputs;
}

/** More reasons would hide the rest of a preview. */
const mostReasons = 20;

/**
 * The reasons of the failures of a check. For a failure that names an argument, the engine prints the argument's value, secret
 * or not, or "<nil>" for a part of one. So the reason names the argument, and the failure doesn't.
 */
export function checkReasons(issues: readonly ValidationIssue[]): string[] {
  const reasons = issues.map(({ path, reason }) => (path === "" ? reason : `property ${path} ${reason}`));
  const more = reasons.length - mostReasons;
  return more > 0 ? [...reasons.slice(0, mostReasons), `${more} more properties are invalid`] : reasons;
}

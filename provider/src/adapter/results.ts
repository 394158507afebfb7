import type { ResourceState } from "../core/lifecycle";
import { UserGroupError } from "../errors";
import { escaped, escapedLines } from "../text";
import type { ValidationIssue } from "../validation";
import { isObject, secret, type JsonObject } from "../values";

/** The outputs that are always secret. `shown`, `sent` and `former` may hold secret values, and `account` a part of a digest. */
export const secretOutputs = ["token", "tokens", "shown", "sent", "former", "account"];

/** The arguments of a group. */
const groupFields = ["name", "mapping", "properties", "dataSourceProvidedId", "keepers"];

/** Marks secrets also in the state, because a stack transformation can replace the option `additionalSecretOutputs`. */
export function wireOutputs(state: JsonObject): JsonObject {
  const outputs = withOldValuesSecret(defined(state), state["lastChange"]);
  for (const name of secretOutputs) if (name in outputs) outputs[name] = secret(outputs[name]);
  return outputs;
}

/** The inputs that fit a state. They have the old values of the state. */
export function wireInputs(inputs: JsonObject, state: JsonObject): JsonObject {
  return withOldValuesSecret(defined(inputs), state["lastChange"]);
}

/**
 * The engine marks a value as secret where the program's input at the same path is secret. After a failed change, the state has values
 * for which the engine may have no such input: old ones, and new ones that it didn't record.
 */
function withOldValuesSecret(properties: JsonObject, lastChange: unknown): JsonObject {
  if (typeof lastChange === "string") return withSecrets(properties, groupFields);
  const { groups } = properties;
  if (!isObject(lastChange) || !isObject(groups)) return properties;
  return { ...properties, groups: withSecrets(groups, Object.keys(lastChange)) };
}

function withSecrets(properties: JsonObject, names: readonly string[]): JsonObject {
  const marked = Object.keys(properties).filter((name) => names.includes(name));
  return { ...properties, ...Object.fromEntries(marked.map((name) => [name, secret(properties[name])])) };
}

/** Removes undefined at any depth, because it can't be sent. */
function defined(value: JsonObject): JsonObject {
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

/** The outputs of a create or an update, with `others`. Throws a PartialFailureError, which records them as well. */
export function outputsOf({ id, state, failure }: ResourceState, others: JsonObject = {}): JsonObject {
  const outputs = { ...wireOutputs(state), ...others };
  if (failure) throw new PartialFailureError(failure.error, failure.reasons.map(escapedLines), id, outputs);
  return outputs;
}

/** More reasons would hide the rest of a preview. */
const mostReasons = 20;

/**
 * The reasons of the failures of a check. For a failure that names an argument, the engine prints the argument's value, secret
 * or not, or "<nil>" for a part of one. So the reason names the argument, and the failure doesn't.
 */
export function checkReasons(issues: readonly ValidationIssue[]): string[] {
  const reasons = issues.map(({ path, reason }) =>
    escaped(path === "" ? reason : `property ${path} ${reason}`),
  );
  const more = reasons.length - mostReasons;
  return more > 0 ? [...reasons.slice(0, mostReasons), `${more} more properties are invalid`] : reasons;
}

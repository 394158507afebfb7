/** What the engine gets of a result: outputs and inputs with the marks of secrets, and partial failures. */
import { isEqual, isObject, secret, type JsonObject } from "../values";
import type { ResourceState } from "../core/resource/eachGroup";
import type { ReadResult } from "../core/resource/refresh";
import { maxFailureBytes, structBytes } from "../core/resource/sizeLimit";
import { groupFields } from "../core/state/group";
import { UserGroupError } from "../errors";
import { escaped, escapedLines } from "../text";
import type { ValidationIssue } from "../validation";

/** The outputs that are always secret. `former` has tokens, and may hold secret values. */
export const secretOutputs: readonly string[] = ["token", "tokens", "former"];

/**
 * The output `internal` with marks: the digest of the credentials, and values that were sent or returned. The rest stays readable, for
 * example for a review of a preview.
 */
export function markedInternal(internal: unknown, mark: (value: unknown) => unknown): unknown {
  if (!isObject(internal)) return internal;
  const { groups } = internal;
  const records = isObject(groups) ? Object.entries(groups) : [];
  const marked = records.map(
    ([userGroupId, record]) => [userGroupId, markedIn(record, ["sent", "returned"], mark)] as const,
  );
  const all = isObject(groups) ? { ...internal, groups: Object.fromEntries(marked) } : internal;
  return markedIn(all, ["credentialsDigest"], mark);
}

function markedIn(value: unknown, fields: readonly string[], mark: (value: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([field, part]) => [field, fields.includes(field) ? mark(part) : part] as const,
  );
  return Object.fromEntries<unknown>(entries);
}

/**
 * The outputs after a create or an update. The engine marks a value as secret where the program's input at the same path is secret. A value
 * that isn't the program's current input may be a secret of another place, so it is marked. The name that the service shows is no secret,
 * if the program's isn't. A service may return values of any size: if the outputs are too large for an error, which would lose them, the
 * failure becomes a warning.
 */
export function outputsOf(
  { id, state, failure }: ResourceState,
  inputs: JsonObject,
  others: JsonObject = {},
): JsonObject {
  const isShownName = (field: string, input: unknown) => !failure && field === "name" && input !== undefined;
  const isHidden: IsHidden = (field, value, input) => !isShownName(field, input) && !isEqual(value, input);
  const outputs = { ...marked(state, isHidden, inputs), ...others };
  if (!failure) return outputs;
  if (structBytes(outputs) <= maxFailureBytes)
    throw new PartialFailureError(failure.error, failure.reasons.map(escapedLines), id, outputs);
  failure.warn();
  return outputs;
}

/** The outputs of a preview, which has the program's values only. */
export function previewOutputs(state: JsonObject): JsonObject {
  return marked(state, () => false, {});
}

/**
 * The outputs and inputs of a read. What the service shows instead of the values that were sent is secret, except a name. After a
 * partial failure, the engine may not know which values are secrets. An import has no values of the program at all.
 */
export function readProperties({ state, inputs }: ReadResult, { isImport = false } = {}) {
  const { internal, userGroupId: onlyId } = state;
  const isHidden = (field: string, value: unknown, _input: unknown, userGroupId = String(onlyId)) => {
    if (isEqual(value, undefined)) return false;
    if (partOf(internal, "incomplete") === true) return true;
    const record = partOf(partOf(internal, "groups"), userGroupId);
    const isDrift = partOf(partOf(record, "sent"), field) !== undefined;
    if (field === "properties") return isImport || isDrift;
    // A lookup may show the name of a group whose resource keeps it secret.
    return field === "name" && partOf(internal, "lookup") === true && isDrift;
  };
  return { outputs: marked(state, isHidden, {}), inputs: marked(inputs, isHidden, {}) };
}

type IsHidden = (field: string, value: unknown, input: unknown, userGroupId?: string) => boolean;

/** Marks secrets also in the state, because a stack transformation can replace the option `additionalSecretOutputs`. */
function marked(properties: JsonObject, isHidden: IsHidden, inputs: JsonObject): JsonObject {
  const outputs = withHidden(defined(properties), isHidden, inputs);
  for (const name of secretOutputs) if (name in outputs) outputs[name] = secret(outputs[name]);
  if ("internal" in outputs) outputs["internal"] = markedInternal(outputs["internal"], secret);
  const { groups } = outputs;
  if (!isObject(groups)) return outputs;
  const hidden = Object.entries(groups).map(([userGroupId, group]): [string, unknown] => {
    const input = partOf(inputs["groups"], userGroupId);
    return [
      userGroupId,
      isObject(group) ? withHidden(group, isHidden, isObject(input) ? input : {}, userGroupId) : group,
    ];
  });
  return { ...outputs, groups: Object.fromEntries(hidden) };
}

function withHidden(
  group: JsonObject,
  isHidden: IsHidden,
  inputs: JsonObject,
  userGroupId?: string,
): JsonObject {
  const entries = Object.entries(group).map(([field, value]): [string, unknown] => {
    const isSecret = groupFields.includes(field) && isHidden(field, value, inputs[field], userGroupId);
    return [field, isSecret ? hidden(value) : value];
  });
  return Object.fromEntries<unknown>(entries);
}

/** Marks the values in objects. Engine 3.274 drops the mark of an object, if there is an unmarked one at its path, but not of what is in it. */
function hidden(value: unknown): unknown {
  if (!isObject(value)) return secret(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hidden(part)]));
}

function partOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
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

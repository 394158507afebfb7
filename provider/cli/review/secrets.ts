/** What the core can read of a preview, in which the engine has replaced each secret by a word. */
import { replacingFields, keeperFields } from "../../core/state/group";
import { isEqual, isObject, ownValue, propertiesOf, unknownValue, type JsonObject } from "../../values";
import type { Kind } from "../stackExport";

/** As the engine writes a secret. */
export const hidden = "[secret]";

export function isHidden(value: unknown): boolean {
  return value === hidden;
}

/** Whether the value, or a part of it, is a secret. */
export function hasHidden(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasHidden);
  return isHidden(value);
}

/** The fields of a group whose change is more than one of the state. */
const comparedFields: readonly string[] = [...replacingFields, ...keeperFields];

/** The outputs in a form that the core parses. Undefined: all groups are secret. */
export function readableOutputs(kind: Kind, outputs: JsonObject): JsonObject | undefined {
  const { token, tokens, internal, ...others } = propertiesOf(outputs);
  const shown = { ...withoutHidden(others), ...readableInternal(internal) };
  if (kind === "userGroup")
    return { ...shown, token, name: others["name"], userGroupId: others["userGroupId"] };
  const { groups } = others;
  if (!isObject(groups)) return undefined;
  const readable = Object.entries(groups).map(([userGroupId, group]): [string, unknown] => {
    if (!isObject(group)) return [userGroupId, { name: hidden }];
    return [userGroupId, { ...withoutHidden(group), name: group["name"] }];
  });
  const known = isObject(tokens) ? tokens : {};
  const ids = Object.keys(groups).map(
    (userGroupId) => [userGroupId, ownValue(known, userGroupId) ?? hidden] as const,
  );
  return { ...shown, groups: Object.fromEntries(readable), tokens: Object.fromEntries<unknown>(ids) };
}

function withoutHidden(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isHidden(value)));
}

/** A drift is shown by the outputs, too. */
function readableInternal(internal: unknown): JsonObject {
  if (!isObject(internal)) return {};
  const groups = isObject(internal["groups"]) ? internal["groups"] : {};
  const records = Object.entries(groups).map(([userGroupId, record]): [string, unknown] => {
    return [userGroupId, isObject(record) ? withoutHidden(record) : {}];
  });
  return { internal: { ...withoutHidden(internal), groups: Object.fromEntries(records) } };
}

/** The inputs with a value that isn't known yet in the place of each that may be as before, or not. `outputs`: those before. */
export function comparableInputs(
  kind: Kind,
  inputs: JsonObject,
  outputs: JsonObject | undefined,
): JsonObject {
  const compared = kind === "userGroup" ? comparableGroup(inputs, outputs) : comparableArguments(inputs);
  const { groups } = compared;
  if (kind === "userGroup" || !isObject(groups)) return compared;
  const before = isObject(outputs?.["groups"]) ? outputs["groups"] : {};
  const entries = Object.entries(groups).map(([userGroupId, group]): [string, unknown] => {
    if (isHidden(group)) return [userGroupId, unknownValue];
    return [userGroupId, isObject(group) ? comparableGroup(group, ownValue(before, userGroupId)) : group];
  });
  return { ...compared, groups: Object.fromEntries(entries) };
}

/** The values of a group, for a comparison with those before. */
export function comparableGroup(group: JsonObject, before: unknown): JsonObject {
  const shown = comparableArguments(group);
  if (before === undefined) return shown;
  const entries = comparedFields.map((field) => {
    const earlier = isObject(before) ? before[field] : before;
    return [field, comparableValue(shown[field], earlier)] as const;
  });
  const compared = Object.fromEntries<unknown>(entries.filter(([, value]) => value !== undefined));
  return { ...shown, ...compared };
}

function comparableValue(value: unknown, before: unknown): unknown {
  const isUnclear = (hasHidden(value) || hasHidden(before)) && mayBeEqual(value, before);
  return isUnclear ? unknownValue : value;
}

/** The arguments of a resource that aren't those of a group. */
function comparableArguments(inputs: JsonObject): JsonObject {
  const unknown = ["removed", "deletionLimit", "overlap", "overlapHours"].filter((name) =>
    isHidden(inputs[name]),
  );
  return { ...inputs, ...Object.fromEntries(unknown.map((name) => [name, unknownValue])) };
}

/** Whether two values are equal as far as they are shown. */
function mayBeEqual(one: unknown, other: unknown): boolean {
  if (isHidden(one) || isHidden(other)) return true;
  if (!isObject(one) || !isObject(other)) return isEqual(one, other);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => mayBeEqual(one[key], other[key]));
}

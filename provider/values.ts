/** JSON values in inputs, state and responses, and values that a preview doesn't know yet. */
import { isDeepStrictEqual } from "node:util";

/** The engine sends this string, at any depth, for a value that isn't known before `up`. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine marks special values, such as secrets and assets, by this key. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The SDK of dynamic providers adds the text of the provider to the inputs, with this key. */
export const providerKey = "__provider";

/** The classes of dynamic resources add the identity of the resource to the inputs, with this key. */
export const resourceKey = "__resource";

/** How a deployment names a resource: by its identity. The state of a hand-written provider has none. */
export type Resource = `resource ${string}`;

/** `urn`: or an identity; undefined: there is none. */
export function resourceOf(urn = ""): Resource {
  return `resource ${identityOf(urn)}`;
}

/** What a URN says after stack and project: the types of the parents, the type and the name. A renamed stack changes nothing of it. */
export function identityOf(urn: string): string {
  return urn.startsWith("urn:pulumi:") ? urn.split("::").slice(2).join("::") : urn;
}

/** Objects and lists in each other, of an argument. Pulumi's processes read and write values by recursion. */
export const maxDepth = 100;

export const tooDeep = `has more than ${maxDepth} levels of objects and lists`;

/** Why the engine can't transport a text or a key, as a message continues after its path; undefined if it can. */
export function textIssue(text: string): string | undefined {
  if (!text.isWellFormed())
    return "has half of a character, as a text that was cut inside an emoji: cut it between characters";
  if ([signatureKey, unknownValue].includes(text)) return "is a text that Pulumi reserves for itself";
  return madeTexts.find(({ pattern }) => pattern.test(text))?.issue;
}

/** What becomes of a value in a template literal, with `+` or `String()`. Each SDK has a text for an Output; Go's `fmt` prints its fields. */
const madeTexts: readonly { readonly pattern: RegExp; readonly issue: string }[] = [
  { pattern: /Calling \[toJSON\] on an \[Output\b/, issue: "contains an Output: use pulumi.jsonStringify" },
  {
    pattern: /Calling \[?\w+\]? on an \[?Output\b|OutputState=/,
    issue: "contains an Output: use pulumi.interpolate, or what your language has instead",
  },
  { pattern: /\[object Promise\]/, issue: "contains a Promise: use pulumi.interpolate, or await it" },
  { pattern: /\[object \w+\]/, issue: "contains an object: pass one of its values" },
];

export type JsonObject = Record<string, unknown>;

export function secret(value: unknown): JsonObject {
  return { [signatureKey]: secretSignature, value };
}

/** A copy without the marks of secrets, at any depth. */
export function withoutSecretMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretMarks);
  if (!isObject(value)) return value;
  if (value[signatureKey] === secretSignature) return withoutSecretMarks(value["value"]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecretMarks(part)]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `value`, or a part of it, isn't known before `up`. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isUnknown);
  return value === unknownValue;
}

/** Whether objects and lists are in each other more than `depth` times. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(depth - 1, part));
}

/** The value of a key that may be the name of a property of every object, such as `constructor`. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** The value of a key of a map, which is added if it is missing. */
export function getOrAdd<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, property]) => property != null));
}

export function nonEmpty(value: JsonObject | undefined): JsonObject | undefined {
  return value !== undefined && Object.keys(value).length > 0 ? value : undefined;
}

/** The inputs or outputs of a resource, without nulls and without the SDK's own properties (`__provider`). */
export function propertiesOf(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(withoutNulls(value)).filter(([key]) => !key.startsWith("__")));
}

/** Equality of JSON values. The order of keys doesn't matter; `{}`, null and undefined are equal; so are 0 and -0. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return isDeepStrictEqual(comparable(one), comparable(other));
}

function comparable(value: unknown): unknown {
  const isEmpty = isObject(value) && Object.keys(value).length === 0;
  return value == null || isEmpty ? null : JSON.parse(JSON.stringify(value));
}

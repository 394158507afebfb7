/** Parses external values with zod. A validation issue has a path and a reason, never the value. */
import * as z from "zod";
import { argumentOf, propertyPath } from "./text";
import { isObject, unknownValue } from "./values";

export interface ValidationIssue {
  /** Such as `groups["a b"].name`; empty for the value as a whole. */
  readonly path: string;
  readonly reason: string;
}

/** The issues of `value`, without those of values that aren't known yet. */
export function findIssues(schema: z.ZodType, value: unknown): ValidationIssue[] {
  const found = schema.safeParse(value).error?.issues ?? [];
  const issues = found.filter((issue) => !leadsToUnknown(value, issue.path)).flatMap(toIssues);
  const byText = new Map(issues.map((issue) => [`${issue.path} ${issue.reason}`, issue]));
  return [...byText.values()];
}

/** Parses `value`. Throws the error for the first issue. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, error: (issue: ValidationIssue) => Error): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue = { path: "", reason: "is invalid" }] = result.error.issues.flatMap(toIssues);
  throw error(issue);
}

/** The message for a missing value is "is required", otherwise `message`. */
export function required(message: string): z.core.$ZodErrorMap {
  return (issue) => (issue.input === undefined ? "is required" : message);
}

/** An object without keys other than those of `shape`. `message`: the issue of another value. */
export function closedObject<Shape extends z.core.$ZodLooseShape>(shape: Shape, message?: string) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return message;
      return issue.keys.map((key) => notAnArgument(key, known)).join("\n");
    },
  });
}

/** A string of JSON → its value. `message`: the issue of another string. */
export function jsonText(message: string) {
  return z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  });
}

/** Whether a text of JSON has the key `__proto__`, which z.record drops. In a text in the text, quotes have backslashes. */
export function hasProtoKey(text: string): boolean {
  return /__proto__\\*"\s*:/.test(text);
}

const stringOrBracket = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

/** The keys that an object in a text of JSON has twice. `JSON.parse` keeps only the last one of them. */
export function repeatedKeys(text: string): string[] {
  const found: string[] = [];
  const objects: Set<string>[] = [];
  for (const [bracket, string, colon] of text.matchAll(stringOrBracket)) {
    if (bracket === "{" || bracket === "[") objects.push(new Set());
    if (bracket === "}" || bracket === "]") objects.pop();
    const keys = objects.at(-1);
    if (string === undefined || colon === undefined || keys === undefined) continue;
    const key = String(JSON.parse(string));
    if (keys.has(key)) found.push(key);
    keys.add(key);
  }
  return found;
}

function leadsToUnknown(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === unknownValue) return true;
  const [key, ...rest] = path;
  if (key === undefined || !(isObject(value) || Array.isArray(value))) return false;
  return leadsToUnknown(Reflect.get(value, key), rest);
}

function toIssues(issue: z.core.$ZodIssue): ValidationIssue[] {
  const { path } = issue;
  const keyless = withoutSecretKeys(path);
  if (keyless.length < path.length)
    return [{ path: propertyPath(keyless), reason: `has an invalid value: it ${issue.message}` }];
  if (issue.code === "invalid_key")
    return issue.issues.map(({ message }) => ({ path: propertyPath(path), reason: message }));
  if (issue.code !== "unrecognized_keys") return [{ path: propertyPath(path), reason: issue.message }];
  const reasons = issue.message.split("\n");
  return issue.keys.map((key, index) => ({
    path: propertyPath([...path, key]),
    reason: reasons[index] ?? notAnArgument(key, []),
  }));
}

function notAnArgument(key: string, known: readonly string[]): string {
  const likely = [1, 2].flatMap((edits) =>
    known.filter((name) => name.length > 3 * edits && isWithin(edits, plain(key), plain(name))),
  );
  const meant = likely.at(0);
  return meant === undefined ? "is not an argument" : `is not an argument: did you mean ${meant}?`;
}

/** `user_group_id` is `userGroupId` in the style of another language. */
function plain(key: string): string {
  return key.toLowerCase().replaceAll("_", "");
}

/** Whether so many edits make the one of the other: add, remove or replace a letter, or swap it with the next one. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === "" || other === "") return one.length + other.length <= edits;
  const [first, second] = one;
  const rest = one.slice(1);
  const otherRest = other.slice(1);
  if (other.startsWith(first ?? "")) return isWithin(edits, rest, otherRest);
  if (edits === 0) return false;
  const isSwapped = second !== undefined && other.startsWith(`${second}${first ?? ""}`);
  return (
    (isSwapped && isWithin(edits - 1, one.slice(2), other.slice(2))) ||
    isWithin(edits - 1, rest, other) ||
    isWithin(edits - 1, one, otherRest) ||
    isWithin(edits - 1, rest, otherRest)
  );
}

/** The arguments whose keys are the user's. Where they are secret, their keys are, and nobody can tell: the plugin gets plain text. */
const secretMaps: readonly PropertyKey[] = ["mapping", "properties", "keepers"];

/** Ends the path of a value at its argument, of a resource or of a group in `groups`. */
function withoutSecretKeys(path: readonly PropertyKey[]): readonly PropertyKey[] {
  const argument = argumentOf(path);
  return secretMaps.includes(argument.at(-1) ?? "") ? argument : path;
}

/** Parses external values with zod. A validation issue has a path and a reason, never the value. */
import * as z from "zod";
import { isObject, unknownValue } from "./values";

export interface ValidationIssue {
  /** Such as `properties.plan.seats`; empty for the value as a whole. */
  readonly path: string;
  readonly reason: string;
}

/**
 * The issues of `value`, without those of values that aren't known yet. `namesAt`: the properties that the object at a path may
 * have, to propose one for a misspelled one.
 */
export function findIssues(
  schema: z.ZodType,
  value: unknown,
  namesAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): ValidationIssue[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues
    .filter((issue) => !leadsToUnknown(value, issue.path))
    .flatMap((issue) => toIssues(issue, namesAt(issue.path)));
}

/** Parses `value`. Throws the error that `toError` returns for the first issue. */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  toError: (issue: ValidationIssue) => Error,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue = { path: "", reason: "is invalid" }] = result.error.issues.flatMap((each) => toIssues(each));
  throw toError(issue);
}

/** The message for a missing value is "is required", otherwise `message`. */
export function required(message: string): z.core.$ZodErrorMap {
  return (issue) => (issue.input === undefined ? "is required" : message);
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

function leadsToUnknown(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === unknownValue) return true;
  const [key, ...rest] = path;
  if (key === undefined || !(isObject(value) || Array.isArray(value))) return false;
  return leadsToUnknown(Reflect.get(value, key), rest);
}

function toIssues(issue: z.core.$ZodIssue, names: readonly string[] = []): ValidationIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), reason: issue.message }];
  return issue.keys.map((key) => {
    const meant = names.find((name) => isMisspelled(key, name));
    const proposal = meant === undefined ? "" : `. Did you mean "${meant}"?`;
    return { path: [...path, key].join("."), reason: `is not an argument${proposal}` };
  });
}

/** Whether `key` is `name` in another case, with separators (`max_size`), or with one character too many, missing or wrong. */
function isMisspelled(key: string, name: string): boolean {
  const one = key.toLowerCase().replace(/[^a-z]/g, "");
  const other = name.toLowerCase();
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const rests = [other.slice(start), other.slice(start + 1)];
  return rests.includes(one.slice(start)) || rests.includes(one.slice(start + 1));
}

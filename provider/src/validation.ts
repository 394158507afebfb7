/** Parses external values with zod. A validation issue has a path and a reason, never the value. */
import * as z from "zod";
import { isObject, unknownValue } from "./values";

export interface ValidationIssue {
  /** Such as `properties.plan.seats`; empty for the value as a whole. */
  readonly path: string;
  readonly reason: string;
}

/** The issues of `value`, without those of values that aren't known yet. */
export function findIssues(schema: z.ZodType, value: unknown): ValidationIssue[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.filter((issue) => !leadsToUnknown(value, issue.path)).flatMap(toIssues);
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

function toIssues(issue: z.core.$ZodIssue): ValidationIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), reason: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key].join("."), reason: "is not an argument" }));
}

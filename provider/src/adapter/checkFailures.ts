/** Validation issues in the form that the engine expects from check. */
import type { ValidationIssue } from "../validation";
import type { JsonObject } from "../values";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** More failures would hide the rest of a preview. */
const mostIssues = 20;

/**
 * For a failure that names an argument, the engine prints the argument's value, secret or not. So the reason names the
 * argument, and the failure doesn't.
 */
export function checkFailures(issues: readonly ValidationIssue[], inputs: JsonObject): CheckFailure[] {
  const failures = issues.map(({ path, reason }) =>
    path in inputs ? { property: "", reason: `property ${path} ${reason}` } : { property: path, reason },
  );
  const more = failures.length - mostIssues;
  if (more <= 0) return failures;
  return [...failures.slice(0, mostIssues), { property: "", reason: `${more} more properties are invalid` }];
}

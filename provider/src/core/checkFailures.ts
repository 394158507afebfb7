/** What check tells the engine about invalid arguments. */
import type { ValidationIssue } from "../validation";
import type { JsonObject } from "../values";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** More issues than these would hide the rest of a preview. */
const mostIssues = 20;

/**
 * The engine prints the value of a property that a failure names if it is among the arguments, secret or not, so such a
 * property is named in the reason.
 */
export function checkFailures(issues: readonly ValidationIssue[], inputs: JsonObject): CheckFailure[] {
  const failures = issues.map(({ path, reason }) =>
    path in inputs ? { property: "", reason: `property ${path} ${reason}` } : { property: path, reason },
  );
  const more = failures.length - mostIssues;
  if (more <= 0) return failures;
  return [...failures.slice(0, mostIssues), { property: "", reason: `${more} more properties are invalid` }];
}

/** Validation issues in the form that the engine expects from check. */
import type { ValidationIssue } from "../validation";

export interface CheckFailure {
  readonly property: "";
  readonly reason: string;
}

/** More failures would hide the rest of a preview. */
const mostIssues = 20;

/**
 * For a failure that names an argument, the engine prints the argument's value, secret or not, or "<nil>" for a part of one.
 * So the reason names the argument, and the failure doesn't.
 */
export function checkFailures(issues: readonly ValidationIssue[]): CheckFailure[] {
  const reasons = issues.map(({ path, reason }) => (path === "" ? reason : `property ${path} ${reason}`));
  const more = reasons.length - mostIssues;
  const shown = more > 0 ? [...reasons.slice(0, mostIssues), `${more} more properties are invalid`] : reasons;
  return shown.map((reason) => ({ property: "", reason }));
}

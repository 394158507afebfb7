/** The first import of each module for programs, because on an older Node.js any other one may fail. */
import { nodeIssue } from "./nodeIssue";

const issue = nodeIssue(process.versions.node);
if (issue !== undefined) {
  // An error of this kind is shown without its stack. The SDK, which has the class, may not load either.
  const error = Object.assign(new Error(issue), { __pulumiRunError: true });
  error.stack = issue;
  throw error;
}

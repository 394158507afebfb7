/** The first import of each process, because on an older Node.js any other one may fail. */
import { nodeIssue } from "./nodeIssue";

const issue = nodeIssue(process.versions.node);
if (issue !== undefined) {
  process.stderr.write(`${issue}\n`);
  process.exit(1);
}

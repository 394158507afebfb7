// Reads what `pulumi stack export --show-secrets` prints, and prints a hash of the groups' tokens, so that two states can
// be compared by them. Nothing else of the tokens leaves this script.
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";

const { deployment } = JSON.parse(await text(process.stdin));
const tokens = (deployment.resources ?? [])
  .filter(({ type }) => /\/user-groups:UserGroups?$/.test(type))
  .map(({ urn, outputs }) => [urn, outputs.token ?? outputs.tokens]);
console.log(createHash("sha256").update(JSON.stringify(tokens)).digest("hex"));

// `pulumi stack export --show-secrets | node ci/tokens.mjs`: a hash of the groups' tokens, to compare two states by. It
// prints nothing else of the tokens.
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";

const { deployment } = JSON.parse(await text(process.stdin));
const tokens = (deployment.resources ?? [])
  .filter(({ type }) => /\buser-groups:(index:)?UserGroups?$/.test(type))
  .map(({ urn, outputs }) => [urn, outputs.token ?? outputs.tokens]);
console.log(createHash("sha256").update(JSON.stringify(tokens)).digest("hex"));

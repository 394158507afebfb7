// `pulumi stack export --show-secrets | node ci/tokens.mjs`: fails if the state has a token that was not delivered: neither
// the stack's outputs nor another resource, such as a secret of Kubernetes, has it. Prints no token.
import { text } from "node:stream/consumers";

const { resources = [] } = JSON.parse(await text(process.stdin)).deployment;
const isGroups = ({ type }) => /\buser-groups:(index:)?UserGroups?$/.test(type);
// The token of a group whose replacement has begun is dead.
const isCurrent = ({ delete: isLeft, pendingReplacement: isDeleted }) => !isLeft && !isDeleted;
const plain = (value) => (value?.plaintext === undefined ? value : JSON.parse(value.plaintext));
const tokensOf = ({ outputs: { userGroupId, token, tokens = {} } }) =>
  token === undefined ? Object.entries(plain(tokens)) : [[plain(userGroupId), plain(token)]];

const withoutEscapes = (value) => JSON.stringify(value).replaceAll("\\", "");
const delivered = withoutEscapes(resources.filter((resource) => !isGroups(resource)));
const isMissing = ([, token]) => !delivered.includes(withoutEscapes(token).slice(1, -1));
const groups = resources.filter(isGroups).filter(isCurrent);
const missing = groups.filter((group) => tokensOf(group).some(isMissing));
for (const { urn } of missing)
  console.error(`A token of ${urn} has not been handed on. Run the deployment, and hand the new tokens on.`);
process.exitCode = missing.length > 0 ? 1 : 0;

// `pulumi stack export --show-secrets | node ci/tokens.mjs`: fails if the state has a token that was not handed on: neither
// the stack's outputs nor another resource, such as a secret of Kubernetes, has it. Prints no token.
import { text } from "node:stream/consumers";

const { resources = [] } = JSON.parse(await text(process.stdin)).deployment;
const isGroups = ({ type }) => /\buser-groups:(index:)?UserGroups?$/.test(type);
const withoutEscapes = (value) => JSON.stringify(value).replaceAll("\\", "");
const handedOn = withoutEscapes(resources.filter((resource) => !isGroups(resource)));

const tokens = resources.filter(isGroups).flatMap(({ urn, outputs }) => {
  const { plaintext = "{}" } = outputs.token ?? outputs.tokens ?? {};
  const plain = JSON.parse(plaintext);
  return Object.values(typeof plain === "string" ? [plain] : plain).map((token) => ({ urn, token }));
});
const missing = tokens.filter(({ token }) => !handedOn.includes(withoutEscapes(token).slice(1, -1)));
for (const urn of new Set(missing.map(({ urn }) => urn)))
  console.error(`A token of ${urn} has not been handed on. Run the deployment, and hand the new tokens on.`);
process.exitCode = missing.length > 0 ? 1 : 0;

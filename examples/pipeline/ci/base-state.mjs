// `pulumi stack export | node ci/base-state.mjs`: what a preview without secrets may know of the state. Each secret in it
// is replaced by a word, so that whoever may read the program may read this too.
import { text } from "node:stream/consumers";

/** Pulumi's mark of a special value, and that of a secret among them. */
const [mark, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];
const redacted = "redacted";

const { version, deployment } = JSON.parse(await text(process.stdin));
const resources = (deployment.resources ?? []).map(withoutSecrets).map(withTokensOfEachGroup);
console.log(JSON.stringify({ version, deployment: { manifest: deployment.manifest, resources } }));

function withoutSecrets(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value[mark] === secret) return redacted;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** The tokens of a `UserGroups` are one secret, and the program may take one of them out. */
function withTokensOfEachGroup(resource) {
  const { type, outputs = {} } = resource;
  if (!type.endsWith(":UserGroups") || outputs.tokens !== redacted) return resource;
  const tokens = Object.fromEntries(Object.keys(outputs.groups).map((id) => [id, redacted]));
  return { ...resource, outputs: { ...outputs, tokens } };
}

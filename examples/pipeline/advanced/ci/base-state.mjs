// `pulumi stack export | node ci/base-state.mjs`: a state without secrets, for previews. A word replaces each secret, so
// everybody who may read the program may read this.
import { text } from "node:stream/consumers";

/** Pulumi's mark of a special value, and that of a secret among them. */
const [mark, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];
const redacted = "redacted";

const { version, deployment } = JSON.parse(await text(process.stdin));
const resources = (deployment.resources ?? [])
  .map(withoutSecrets)
  .map(withoutSecretIds)
  .map(withTokensOfEachGroup);
console.log(JSON.stringify({ version, deployment: { manifest: deployment.manifest, resources } }));

function withoutSecrets(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value[mark] === secret) return redacted;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** The ID of a resource, the list of adopted groups and error messages repeat IDs, without a mark. */
function withoutSecretIds(resource) {
  const { inputs = {}, outputs = {} } = resource;
  const isSecret = (name) => inputs[name] === redacted || outputs[name] === redacted;
  if (!isSecret("userGroupId") && !isSecret("groups")) return resource;
  const { initErrors = [] } = resource;
  return {
    ...resource,
    ...(isSecret("userGroupId") && { id: redacted }),
    ...(isSecret("groups") && { outputs: { ...outputs, adopted: [] } }),
    ...(initErrors.length > 0 && { initErrors: initErrors.map(() => redacted) }),
  };
}

/** The tokens of a `UserGroups` are one secret, and the program may read one of them. */
function withTokensOfEachGroup(resource) {
  const { type, outputs = {} } = resource;
  if (!type.endsWith(":UserGroups") || outputs.tokens !== redacted || outputs.groups === redacted)
    return resource;
  const tokens = Object.fromEntries(Object.keys(outputs.groups).map((id) => [id, redacted]));
  return { ...resource, outputs: { ...outputs, tokens } };
}

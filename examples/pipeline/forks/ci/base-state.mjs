// `pulumi stack export | node ci/base-state.mjs`: a state without secrets, for previews. A word replaces each secret, so
// everybody who may read the program may read this.
import { text } from "node:stream/consumers";

/** Pulumi's mark of a special value, and that of a secret among them. */
const [mark, secret] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];
const redacted = "redacted";

const { version, deployment } = JSON.parse(await text(process.stdin));
const resources = (deployment.resources ?? []).map(withoutSecrets).map(withoutSecretIds);
console.log(JSON.stringify({ version, deployment: { manifest: deployment.manifest, resources } }));

function withoutSecrets(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value[mark] === secret) return redacted;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** A resource's ID, the IDs in the service, the list of adopted groups and messages repeat IDs without a mark. A program may read single `tokens`. */
function withoutSecretIds({ inputs = {}, outputs = {}, initErrors = [], ...resource }) {
  const isSecret = (name) => [inputs[name], outputs[name]].includes(redacted);
  const hasSecretIds = isSecret("userGroupId") || isSecret("groups");
  const ids = outputs.tokens === redacted && !isSecret("groups") ? Object.keys(outputs.groups ?? {}) : [];
  const more = {
    ...(hasSecretIds && Array.isArray(outputs.adopted) && { adopted: [] }),
    ...(hasSecretIds && outputs.providedId && { providedId: redacted }),
    // The provider reads objects here, so that a preview shows such groups as created.
    ...(isSecret("groups") && { groups: {}, tokens: {}, providedIds: {} }),
    // A preview doesn't need former groups, and the provider reads lists and objects here.
    ...(isSecret("former") && { former: undefined }),
    ...("internal" in outputs && { internal: withoutRecords(outputs.internal, hasSecretIds) }),
    ...(ids.length > 0 && { tokens: Object.fromEntries(ids.map((id) => [id, redacted])) }),
  };
  return {
    ...resource,
    ...(hasSecretIds && { id: redacted }),
    inputs,
    outputs: { ...outputs, ...more },
    initErrors: hasSecretIds ? initErrors.map(() => redacted) : initErrors,
  };
}

/** The package's own output has notes about groups by their IDs, in which the provider reads objects. */
function withoutRecords({ groups = {}, ...others }, hasSecretIds) {
  const notes = Object.entries(hasSecretIds ? {} : groups);
  const readable = notes.map(([id, { returned, sent, ...note }]) => [id, note]);
  return { ...others, groups: Object.fromEntries(readable) };
}

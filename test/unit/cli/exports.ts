/** Exports of a stack of Pulumi. */
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
export const encrypted = { ...mark, ciphertext: "v1:" };

/** A secret with `--show-secrets`. */
export function secretOf(value: unknown): object {
  return { ...mark, plaintext: JSON.stringify(value) };
}

export function urnOf(name: string): string {
  return `urn:pulumi:dev::tests::user-groups:index:UserGroup::${name}`;
}

/** A resource of the plugin. */
export function userGroup(name: string, outputs: object, others: object = {}): object {
  const type = "user-groups:index:UserGroup";
  const entry = { urn: urnOf(name), type, id: name, inputs: {}, outputs: { userGroupId: name, ...outputs } };
  return { ...entry, ...others };
}

export function exportOf(...resources: readonly object[]) {
  return { version: 3, deployment: { resources } };
}

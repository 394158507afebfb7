/**
 * The text of the provider in the state of each dynamic resource. It is a constant that requires this package from the
 * program's folder, so the package must be a direct dependency of the program. A closure would be serialized into every
 * resource instead.
 */
export function providerText(provider: "userGroup" | "userGroups"): string {
  return `exports.handler = () => require("pulumi-user-groups/provider").${provider};`;
}

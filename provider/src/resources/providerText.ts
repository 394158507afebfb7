/**
 * The providers as the state stores them: constants that require this package from the program's folder, so the package
 * must be a direct dependency of the program. A closure would be serialized into every resource instead.
 */
export const providerTexts = {
  userGroup: 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;',
  userGroups: 'exports.handler = () => require("pulumi-user-groups/provider").userGroups;',
} as const;

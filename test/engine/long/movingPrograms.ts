/** As many as a stack of resources may well have. */
export const countOfMoving = 500;

export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `t${n}`);
}

/** Each group as a resource of its own. */
export function singleOf(ids: readonly string[], options: object): string {
  return `
    const { UserGroup } = require("pulumi-user-groups");
    const options = ${JSON.stringify(options)};
    const groups = ${JSON.stringify(ids)}.map((id) => [id, new UserGroup(id, { userGroupId: id, name: "Tenant" }, options)]);
    exports.tokens = Object.fromEntries(groups.map(([id, { token }]) => [id, token]));
  `;
}

/** All groups in one resource. */
export function manyOf(ids: readonly string[], options: object): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const groups = Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, { name: "Tenant" }]));
    exports.tokens = new UserGroups("tenants", { groups }, ${JSON.stringify(options)}).tokens;
  `;
}

// (b) One resource for each tenant.
const { UserGroup } = require("pulumi-user-groups");

const overlap = process.env.BENCH_OVERLAP === "true" || undefined;
for (const [userGroupId, { name }] of Object.entries(require("./tenants.json"))) {
  new UserGroup(userGroupId, { userGroupId, name, overlap });
}

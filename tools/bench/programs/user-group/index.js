// One resource for each tenant.
const { UserGroup } = require("pulumi-user-groups");

for (const [userGroupId, { name }] of Object.entries(require("./tenants.json"))) {
  new UserGroup(userGroupId, { userGroupId, name });
}

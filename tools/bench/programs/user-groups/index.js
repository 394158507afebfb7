// All tenants in one resource.
const { UserGroups } = require("pulumi-user-groups");

new UserGroups("tenants", { groups: require("./tenants.json") });

// All tenants in one resource of the plugin.
const { UserGroups } = require("pulumi-user-groups/plugin");

new UserGroups("tenants", { groups: require("./tenants.json") });

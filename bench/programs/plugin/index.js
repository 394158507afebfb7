// All tenants in one resource of the plugin.
const { UserGroups } = require("./sdks/user-groups/bin");

new UserGroups("tenants", { groups: require("./tenants.json") });

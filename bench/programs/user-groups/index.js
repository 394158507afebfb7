// (a) All tenants in one resource.
const { UserGroups } = require("pulumi-user-groups");

const overlap = process.env.BENCH_OVERLAP === "true" || undefined;
new UserGroups("tenants", { groups: require("./tenants.json"), overlap });

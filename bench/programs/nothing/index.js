// Resources of the same shape as `UserGroup`, or one as `UserGroups`, whose provider makes no request.
const pulumi = require("@pulumi/pulumi");
const tenants = require("./tenants.json");

class Nothing extends pulumi.CustomResource {
  constructor(type, name, args, token) {
    const __provider = `exports.handler = () => require("./provider").${type};`;
    const properties = { [token]: undefined, adopted: undefined, ...args, __provider };
    super(`pulumi-nodejs:dynamic/user-groups:${type}`, name, properties, {
      additionalSecretOutputs: [token],
    });
  }
}

if (process.env.BENCH_ONE_RESOURCE) new Nothing("UserGroups", "tenants", { groups: tenants }, "tokens");
else
  for (const [userGroupId, { name }] of Object.entries(tenants))
    new Nothing("UserGroup", userGroupId, { userGroupId, name }, "token");

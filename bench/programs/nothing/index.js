// (d) One resource for each tenant, of the same shape as `UserGroup`.
const pulumi = require("@pulumi/pulumi");

const __provider = 'exports.handler = () => require("./provider").nothing;';

class Nothing extends pulumi.CustomResource {
  constructor(name, args) {
    const properties = { token: undefined, adopted: undefined, ...args, __provider };
    const options = { additionalSecretOutputs: ["token"] };
    super("pulumi-nodejs:dynamic/user-groups:UserGroup", name, properties, options);
  }
}

for (const [userGroupId, { name }] of Object.entries(require("./tenants.json"))) {
  new Nothing(userGroupId, { userGroupId, name });
}

// @ts-check
const { UserGroup } = require("pulumi-user-groups");

/** userGroupId → what is said of the group. */
const customers = {
  acme: { name: "Acme Corporation", properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: "globex-warehouse" } },
};

exports.tokens = Object.fromEntries(
  Object.entries(customers).map(([userGroupId, customer]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, ...customer }).token,
  ]),
);

import { UserGroup } from "pulumi-user-groups";

const customers = { acme: "Acme Corporation", globex: "Globex" };

export const tokens = Object.fromEntries(
  Object.entries(customers).map(([userGroupId, name]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name }).token,
  ]),
);

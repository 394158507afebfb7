import { UserGroup } from "pulumi-user-groups";

// Top-level await, which only an ECMAScript module can do.
const { customers } = await import("./customers.js");

export const tokens = Object.fromEntries(
  Object.entries(customers).map(([userGroupId, customer]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, ...customer }).token,
  ]),
);

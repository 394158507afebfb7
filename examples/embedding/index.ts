import { UserGroup } from "pulumi-user-groups";

const tenants = { acme: "Acme Corporation", globex: "Globex" };

/** `npm run deploy` writes those of the state into the file that server/ reads. */
export const tokens = Object.fromEntries(
  Object.entries(tenants).map(([userGroupId, name]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name, overlap: true }).token,
  ]),
);

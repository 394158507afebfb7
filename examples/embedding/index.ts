import { UserGroup } from "pulumi-user-groups";

const tenants = { acme: "Acme Corporation", globex: "Globex" };

/** What server/ reads: `pulumi stack output tokens --show-secrets --json` writes it down. */
export const tokens = Object.fromEntries(
  Object.entries(tenants).map(([userGroupId, name]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name }).token,
  ]),
);

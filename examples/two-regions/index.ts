import { UserGroup } from "pulumi-user-groups";

/** userGroupId → its name and its region. Each region is a service of its own, with an API token of its own. */
const customers: Record<string, { name: string; region: "eu" | "us" }> = {
  acme: { name: "Acme Corporation", region: "eu" },
  globex: { name: "Globex", region: "us" },
};

export const tokens = Object.fromEntries(
  Object.entries(customers).map(([userGroupId, { name, region }]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name, connection: region }).token,
  ]),
);

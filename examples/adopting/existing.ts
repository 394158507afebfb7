import type { UserGroupArgs } from "pulumi-user-groups";

/** What your own database knows of the groups that were made by calls of the service: userGroupId → group. */
export const existing: Record<string, Omit<UserGroupArgs, "userGroupId">> = {
  acme: { name: "Acme", mapping: { sales: "acme-warehouse" }, properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: "globex-warehouse" } },
};

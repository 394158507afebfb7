import type { UserGroupArgs } from "pulumi-user-groups";

export const customers: Record<string, Omit<UserGroupArgs, "userGroupId">> = {
  acme: { name: "Acme Corporation", properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: "globex-warehouse" } },
};

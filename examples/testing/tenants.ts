import type * as pulumi from "@pulumi/pulumi";
import { UserGroup } from "pulumi-user-groups";

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly plan: "basic" | "premium";
}

/** Declares a user group for each tenant, each on a data source of its own, and gives their tokens. */
export function declareTenants(tenants: readonly Tenant[]): Record<string, pulumi.Output<string>> {
  const groups = tenants.map(({ id, name, plan }): [string, UserGroup] => [
    id,
    new UserGroup(id, {
      userGroupId: id,
      name,
      mapping: { sales: `${id}-warehouse` },
      properties: { plan },
    }),
  ]);
  return Object.fromEntries(groups.map(([id, { token }]) => [id, token]));
}

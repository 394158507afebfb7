import { Secret } from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { UserGroup } from "pulumi-user-groups";

/**
 * Declares a group for each tenant (userGroupId → name), and one Kubernetes secret for the application: a file of
 * userGroupId → user group token. The service's API token is no part of it.
 */
export function handOver(tenants: Readonly<Record<string, string>>): Secret {
  const tokens = Object.fromEntries(
    Object.entries(tenants).map(([userGroupId, name]) => [
      userGroupId,
      new UserGroup(userGroupId, { userGroupId, name }).token,
    ]),
  );
  return new Secret("user-group-tokens", {
    metadata: { name: "user-group-tokens", namespace: "web" },
    stringData: { "tokens.json": pulumi.jsonStringify(tokens) },
  });
}

import { Secret } from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { UserGroup } from "pulumi-user-groups";

const tenants = { acme: "Acme Corporation", globex: "Globex" };

const tokens = Object.fromEntries(
  Object.entries(tenants).map(([userGroupId, name]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name }).token,
  ]),
);

/** For the application: a file of userGroupId → user group token. The service's API token is no part of it. */
export const secret = new Secret("user-group-tokens", {
  metadata: { name: "user-group-tokens", namespace: "web" },
  stringData: { "tokens.json": pulumi.jsonStringify(tokens) },
});

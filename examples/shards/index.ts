/** The program of one shard, whose name is the stack's. */
import * as pulumi from "@pulumi/pulumi";
import { UserGroups } from "pulumi-user-groups";
import { customers, shardOf } from "./sharding";

const { TENANTS_REMOVED: removed } = process.env;
const ours = customers.filter((customer) => shardOf(customer) === pulumi.getStack());

const tenants = new UserGroups("tenants", {
  groups: Object.fromEntries(ours.map(({ id, name }) => [id, { name }])),
  // A customer who leaves this shard may have moved to another one, and must not be deleted here: deploy.ts knows.
  removed: removed === "delete" ? "delete" : "retain",
  deletionLimit: new pulumi.Config().requireNumber("deletionLimit"),
});

export const tokens = tenants.tokens;

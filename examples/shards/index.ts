/** The program of one shard, whose name is the stack's. */
import * as pulumi from "@pulumi/pulumi";
import { UserGroups } from "pulumi-user-groups";
import { groupOf, readLists, shardOf } from "./sharding";

/** A shard by itself can't tell a customer who has left from one who has moved: deploy.ts says which it is. */
const { TENANTS_REMOVED: removed } = process.env;
if (removed === undefined && !pulumi.runtime.isDryRun())
  throw new pulumi.RunError(
    "Deploy the shards with npm run deploy; a plain pulumi up could forget customers.",
  );

const { customers, shards } = readLists();
const ours = customers.filter((customer) => shardOf(customer, shards) === pulumi.getStack());

const tenants = new UserGroups("tenants", {
  groups: Object.fromEntries(ours.map((customer) => [customer.id, groupOf(customer)])),
  removed: removed === "delete" ? "delete" : "retain",
  deletionLimit: new pulumi.Config().requireNumber("deletionLimit"),
});

export const tokens = tenants.tokens;

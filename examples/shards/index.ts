/** The program of one shard, whose name is the stack's. */
import * as pulumi from "@pulumi/pulumi";
import { UserGroups } from "pulumi-user-groups";
import { groupsOf, readLists } from "./sharding";

const lists = readLists();
const groups = groupsOf(pulumi.getStack(), lists);
const tenants = new UserGroups(
  "tenants",
  { groups, removed: removed(), deletionLimit: lists.deletionLimit },
  // `pulumi destroy` of a retired stack would delete groups of live customers.
  { protect: true },
);

export const tokens = tenants.tokens;

/** A shard by itself can't tell a customer who has left from one who has moved. deploy.ts can, and sets SHARD_REMOVED. */
function removed(): "delete" | "retain" {
  const { SHARD_REMOVED: decided } = process.env;
  if (decided !== undefined) return decided === "retain" ? "retain" : "delete";
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError("Deploy the shards with npm run deploy.");
  void pulumi.log.warn(
    "Customers who move count as deleted here. npm run preview tells moves from deletions.",
  );
  return "delete";
}

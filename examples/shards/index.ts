/** The program of one shard, whose name is the stack's. */
import * as pulumi from "@pulumi/pulumi";
import { UserGroups } from "pulumi-user-groups";
import { groupsOf, readLists } from "./sharding";

/** A shard by itself can't tell a customer who has left from one who has moved. deploy.ts can. */
const { SHARD_REMOVED: removed } = process.env;
if (removed !== "delete" && removed !== "retain")
  throw new pulumi.RunError("Use npm run preview and npm run deploy.");

const lists = readLists();
const tenants = new UserGroups(
  "tenants",
  { groups: groupsOf(pulumi.getStack(), lists), removed, deletionLimit: lists.deletionLimit },
  // `pulumi destroy` of a retired stack would delete groups of live customers.
  { protect: true },
);

export const tokens = tenants.tokens;

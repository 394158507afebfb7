// All tenants in one resource, in TypeScript, with the settings of `pulumi new typescript` that cost time.
import { readFileSync } from "node:fs";
import { UserGroups, type UserGroupsArgs } from "pulumi-user-groups";

const tenants = JSON.parse(readFileSync("tenants.json", "utf8")) as UserGroupsArgs["groups"];

new UserGroups("tenants", { groups: tenants });

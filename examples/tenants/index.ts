import * as pulumi from "@pulumi/pulumi";
import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import type { Customer } from "./customers";
import { customersInDatabase } from "./database";
import { customersInFile } from "./file";

const config = new pulumi.Config();
// The source is a setting. Otherwise a missing environment variable would silently select the file.
const source = config.require("source", { allowedValues: ["file", "database"] });
const customers = pulumi.output(
  source === "database"
    ? customersInDatabase(process.env["CUSTOMERS_DATABASE_URL"])
    : customersInFile(config.get("file") ?? "customers.csv"),
);

const tenants = new UserGroups("tenants", {
  groups: customers.apply(groupsOf),
  // A list that was cut short, or comes from the wrong place, must not cost the customers their groups.
  deletionLimit: config.requireNumber("deletionLimit"),
});

/** The tokens as one JSON document: user group ID → token. One output fits thousands of customers. */
export const tokens = pulumi.jsonStringify(pulumi.all([tenants.tokens, customers]).apply(checked));

function groupsOf(customers: readonly Customer[]): Record<string, GroupArgs> {
  const entries = customers.map(({ id, name, warehouse, region, seats }): [string, GroupArgs] => [
    id,
    { name, mapping: { sales: warehouse }, properties: { region, seats } },
  ]);
  return Object.fromEntries(entries);
}

/** A customer without a token would get a blank dashboard. */
function checked([tokens, customers]: [Record<string, string>, Customer[]]): Record<string, string> {
  const missing = customers.filter(({ id }) => !tokens[id]).map(({ id }) => id);
  if (missing.length > 0) throw new pulumi.RunError(`These customers have no token: ${missing.join(", ")}`);
  return tokens;
}

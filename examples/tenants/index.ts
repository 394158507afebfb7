import * as pulumi from "@pulumi/pulumi";
import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import { readCustomers, type Customer } from "./customers";

const config = new pulumi.Config();
const customers = readCustomers(config.get("file") ?? "customers.csv");

const tenants = new UserGroups("tenants", {
  groups: Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)])),
  // A file that was cut short, or comes from the wrong place, must not cost the customers their groups.
  deletionLimit: config.requireNumber("deletionLimit"),
});

/** The tokens as one JSON document: user group ID → token. One output fits thousands of tenants. */
export const tokens = pulumi.jsonStringify(tenants.tokens.apply(checked));

/** A customer without a token would get a blank dashboard. */
function checked(tokens: Record<string, string>): Record<string, string> {
  const missing = customers.filter(({ id }) => !tokens[id]).map(({ id }) => id);
  if (missing.length > 0) throw new pulumi.RunError(`These customers have no token: ${missing.join(", ")}`);
  return tokens;
}

function groupOf({ name, warehouse, region, seats }: Customer): GroupArgs {
  return { name, mapping: { sales: warehouse }, properties: { region, seats } };
}

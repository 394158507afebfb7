import * as pulumi from "@pulumi/pulumi";
import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import { runError, type Customer } from "./customers";
import { customersInFile } from "./file";

const config = new pulumi.Config();
const customers = customersInFile(config.get("file") ?? "customers.csv");

const tenants = new UserGroups(
  "tenants",
  {
    groups: Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)])),
    // A list that was cut short, or comes from the wrong place, must not cost the customers their groups.
    deletionLimit: config.requireNumber("deletionLimit"),
  },
  // Neither must `pulumi destroy`, which no limit holds back.
  { protect: true },
);

/** One JSON document: user group ID → token. One output fits thousands of customers. */
export const tokens = pulumi.jsonStringify(tenants.tokens.apply(checked));

function groupOf({ name, warehouse, region, seats }: Customer): GroupArgs {
  return { name, mapping: { sales: warehouse }, properties: { region, seats } };
}

/** A customer without a token would get a blank dashboard. */
function checked(tokens: Record<string, string>): Record<string, string> {
  const missing = customers.filter(({ id }) => !tokens[id]).map(({ id }) => id);
  if (missing.length > 0) throw runError(`These customers have no token: ${missing.join(", ")}`);
  return tokens;
}

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

/** One document of all tokens, for an application that serves every tenant; and an output for each tenant. */
const outputs: Record<string, pulumi.Output<string>> = { tokens: pulumi.jsonStringify(tenants.tokens) };
for (const { id } of customers) outputs[`token-${id}`] = tenants.tokens.apply((tokens) => tokens[id] ?? "");

export = outputs;

function groupOf({ name, warehouse, region, seats }: Customer): GroupArgs {
  return { name, mapping: { sales: warehouse }, properties: { region, seats } };
}

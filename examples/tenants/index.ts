import * as pulumi from "@pulumi/pulumi";
import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import { runError, type Customer } from "./customers";
import { customersInDatabase } from "./database";
import { customersInFile } from "./file";

/** The program is a function, because it waits for the database. Its result is the stack's outputs. */
export = async () => {
  const config = new pulumi.Config();
  const customers = await readCustomers(config);
  const tenants = new UserGroups("tenants", {
    groups: Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)])),
    // A list that was cut short, or comes from the wrong place, must not cost the customers their groups.
    deletionLimit: config.requireNumber("deletionLimit"),
  });
  // One JSON document: user group ID → token. One output fits thousands of customers.
  return { tokens: pulumi.jsonStringify(tenants.tokens.apply((tokens) => checked(tokens, customers))) };
};

/** The source is a setting. Otherwise a missing environment variable would silently select the file. */
async function readCustomers(config: pulumi.Config): Promise<Customer[]> {
  const source = config.require("source", { allowedValues: ["file", "database"] });
  return source === "database"
    ? customersInDatabase(process.env["CUSTOMERS_DATABASE_URL"])
    : customersInFile(config.get("file") ?? "customers.csv");
}

function groupOf({ name, warehouse, region, seats }: Customer): GroupArgs {
  return { name, mapping: { sales: warehouse }, properties: { region, seats } };
}

/** A customer without a token would get a blank dashboard. */
function checked(tokens: Record<string, string>, customers: readonly Customer[]): Record<string, string> {
  const missing = customers.filter(({ id }) => !tokens[id]).map(({ id }) => id);
  if (missing.length > 0) throw runError(`These customers have no token: ${missing.join(", ")}`);
  return tokens;
}

import * as pulumi from "@pulumi/pulumi";
import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import { readCustomers, type Customer } from "./customers";

/** Previews without the database read the output `customers`, a text in JSON. */
export = async (): Promise<{ customers: string }> => {
  const config = new pulumi.Config();
  const customers = await readCustomers();
  const groups = Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)]));
  // In one `up`, groups that exist under the IDs of customers are adopted. Nothing is deleted then.
  const isAdopting = config.getBoolean("adopting") ?? false;
  // While the new token of a customer isn't delivered, or a page with the former one is open, both are valid.
  const overlap = { overlap: !isAdopting, overlapHours: config.getNumber("overlapHours") ?? 24 };
  // A list that was cut short must not cost the customers their groups.
  const { MAX_REMOVED: maxRemoved = 20 } = process.env;
  const deletionLimit = isAdopting ? 0 : Number(maxRemoved);
  new UserGroups("customers", { groups, ...overlap, deletionLimit }, { protect: true });
  return { customers: JSON.stringify(customers) };
};

function groupOf({ name, dataSource, region, rotated }: Customer): GroupArgs {
  return { name, mapping: { sales: dataSource }, properties: { region }, keepers: { rotated } };
}

import { UserGroups, type GroupArgs } from "pulumi-user-groups";
import { readCustomers, type Customer } from "./customers";

/** Previews without the database read the output `customers`, a text in JSON. */
export = async (): Promise<{ customers: string }> => {
  const customers = await readCustomers();
  const groups = Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)]));
  // While the new token of a customer isn't delivered, or a page with the former one is open, both are valid.
  const overlap = { overlap: true, overlapHours: 24 };
  // A list that was cut short must not cost the customers their groups.
  const { MAX_REMOVED: maxRemoved = 20 } = process.env;
  new UserGroups("customers", { groups, ...overlap, deletionLimit: Number(maxRemoved) }, { protect: true });
  return { customers: JSON.stringify(customers) };
};

function groupOf({ name, dataSource, region, rotated, leaked }: Customer): GroupArgs {
  const group = { name, mapping: { sales: dataSource }, properties: { region }, keepers: { rotated } };
  // The former tokens of a customer whose token leaked end with the next `up`.
  return leaked ? { ...group, overlapHours: 0 } : group;
}

/** `npx --no pulumi-user-groups list`: the groups in the state of a stack, for a chat or an audit. It prints no token and no value. */
import { escaped } from "../text";
import type { Command } from "./command";
import { exportIn, exportOptions, isCurrent, stateOf, type ExportedResource } from "./stackExport";

export const list: Command = {
  summary: "list the customers of a state, without tokens",
  usage:
    "pulumi stack export --show-secrets | npx --no pulumi-user-groups list [--json], or npx --no pulumi-user-groups list --stack STACK",

  about: `Reads the export of a stack, from standard input or with --stack, and prints a line for each group of the stack in the service, by customer:
its ID in the service, whether the stack created or adopted it, or until when overlap keeps it, and its resource. Prints no
token, and sends no request.`,

  options: {
    ...exportOptions,
    json: {
      text: 'print a list of { "userGroupId", "providedId", "adopted", "former": [{ "providedId", "until" }], "resource" }',
    },
  },

  exitCodes: "0 printed, 1 failed, 2 wrong options",

  async run(flags, terminal) {
    const { resources } = await exportIn(flags, terminal);
    const own = resources.filter((resource) => isCurrent(resource) && !resource.external);
    const customers = own.flatMap(customersOf).sort(byCustomer);
    terminal.out(flags.has("json") ? JSON.stringify(customers, null, 2) : table(customers));
    return 0;
  },
};

/** A customer as JSON shows it. */
interface Customer {
  readonly userGroupId: string;
  readonly providedId: string;
  readonly adopted: boolean;
  readonly former: readonly { readonly providedId: string; readonly until: string }[];
  /** The URN. */
  readonly resource: string;
}

function customersOf(resource: ExportedResource): Customer[] {
  const state = stateOf(resource);
  return [...state.groups.values()].map((group) => {
    const { userGroupId, providedId, adopted, former = [] } = group;
    const kept = former.map((each) => ({ providedId: each.providedId, until: each.until }));
    return { userGroupId, providedId, adopted, former: kept, resource: resource.urn };
  });
}

/** By ID. A group that moves is in two resources. */
function byCustomer(one: Customer, other: Customer): number {
  if (one.userGroupId !== other.userGroupId) return one.userGroupId < other.userGroupId ? -1 : 1;
  return one.resource < other.resource ? -1 : 1;
}

/** Lines in columns. */
function table(customers: readonly Customer[]): string {
  if (customers.length === 0) return "The state has no user groups.";
  const rows = [["CUSTOMER", "ID IN THE SERVICE", "GROUP", "RESOURCE"], ...customers.flatMap(rowsOf)];
  const widths = [0, 1, 2].map((column) => widest(rows.map((row) => row[column] ?? "")));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.join("\n");
}

function widest(cells: readonly string[]): number {
  return cells.reduce((width, cell) => Math.max(width, cell.length), 0);
}

/** A line for each group, whatever is in its ID. */
function rowsOf(customer: Customer): string[][] {
  const { adopted, former } = customer;
  const userGroupId = escaped(customer.userGroupId);
  const providedId = escaped(customer.providedId);
  const name = escaped(customer.resource.slice(customer.resource.lastIndexOf("::") + 2));
  const current = [userGroupId, providedId, adopted ? "adopted" : "created", name];
  return [
    current,
    ...former.map((each) => [userGroupId, escaped(each.providedId), `former until ${each.until}`, name]),
  ];
}

/** The program of a stack: its customers, as the database has them when a job begins. */
import { UserGroups, type GroupArgs } from "pulumi-user-groups/plugin";
import type { Database } from "./database.ts";

/** What an `up` applies. In JSON, a worker that takes over finds it in the database. */
export interface Arguments {
  groups: Record<string, GroupArgs>;
  deletionLimit: number;
  removed: "delete" | "retain";
}

interface Row extends Omit<Arguments, "groups"> {
  id: string | null; // null in the only row of a stack without customers
  name: string;
  dataSource: string;
  region: string;
  rotated: string;
  leaked: boolean;
}

/** By one statement: a customer who moves while a second one runs would be deleted by the guard that the first one read. */
export async function readArguments(database: Database, shard: string): Promise<Arguments> {
  const { rows } = await database.query<Row>(
    `select deletion_limit as "deletionLimit", removed, id, served.name, data_source as "dataSource", region,
      rotated_utc as rotated, leaked from shards left join served on shard = shards.name where shards.name = $1`,
    [shard],
  );
  const [stack] = rows;
  if (!stack) throw new Error(`there is no stack ${shard} in the table shards`);
  const customers = rows.filter(({ id }) => id !== null);
  const groups = Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)]));
  return { groups, deletionLimit: stack.deletionLimit, removed: stack.removed };
}

function groupOf({ name, dataSource: sales, region, rotated, leaked }: Row): GroupArgs {
  const group = { name, mapping: { sales }, properties: { region }, keepers: { rotated } };
  return leaked ? { ...group, overlapHours: 0 } : group;
}

export function programOf(args: Arguments): () => Promise<void> {
  return async () => {
    // An empty list deletes nothing, because `protect` keeps what the stack has.
    if (Object.keys(args.groups).length === 0 && args.removed !== "retain") return;
    new UserGroups("customers", { ...args, overlap: true, overlapHours: 24 }, { protect: true });
  };
}

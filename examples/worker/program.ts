/** The program of a stack: its customers, as the database has them while it runs. */
import { UserGroups } from "pulumi-user-groups/plugin";
import type { Row, Sql } from "postgres";

export function programOf(sql: Sql, shard: string): () => Promise<void> {
  return async () => {
    const [guards] =
      await sql`select deletion_limit as "deletionLimit", removed from shards where name = ${shard}`;
    const customers = await sql`select *, rotated::text from served where shard = ${shard}`;
    if (customers.length === 0 && guards?.removed !== "retain") return; // `protect` keeps what the stack has
    const groups = Object.fromEntries(customers.map((customer) => [customer.id, groupOf(customer)]));
    new UserGroups("customers", { groups, overlap: true, overlapHours: 24, ...guards }, { protect: true });
  };
}

function groupOf({ name, data_source: sales, region, rotated }: Row) {
  return { name, mapping: { sales }, properties: { region }, keepers: { rotated } };
}

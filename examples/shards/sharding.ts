/** The customers, the shards, and which customer belongs to which shard. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const customer = z.strictObject({ id: z.string().min(1), name: z.string().min(1) });

export type Customer = z.infer<typeof customer>;

export const customers = z.array(customer).parse(read("customers.json"));

/** The names of the stacks. */
export const shards = z.array(z.string().min(1)).min(1).parse(read("shards.json"));

/**
 * Rendezvous hashing: each shard draws a lot for the customer, and the highest wins. A shard more wins some customers
 * from each of the others, and nobody else moves; one less gives its customers to the others, and nobody else moves.
 */
export function shardOf({ id }: Pick<Customer, "id">, among: readonly string[] = shards): string {
  const lots = among.map((shard) => ({ shard, lot: lotOf(shard, id) }));
  return lots.reduce((best, each) => (each.lot > best.lot ? each : best)).shard;
}

function lotOf(shard: string, id: string): string {
  return createHash("sha256")
    .update(JSON.stringify([shard, id]))
    .digest("hex");
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, file), "utf8"));
}

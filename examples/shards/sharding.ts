/** The customers, the shards, and which customer belongs to which shard. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import type { GroupArgs } from "pulumi-user-groups";
import { z } from "zod";

const customer = z.strictObject({ id: z.string().min(1), name: z.string().min(1) });
/** A stack's name alone, as `pulumi.getStack()` returns it. */
const shard = z.string().regex(/^[\w.-]+$/, "must be a stack's name, without organization and project");

const schema = z.object({
  /** An empty list would delete every group. */
  customers: z.array(customer).min(1),
  /** The stacks that hold the customers. */
  shards: z.array(shard).min(1),
  /** The stacks that held customers, and give them to the shards. */
  retired: z.array(shard),
  /** How many groups one deployment may delete in all shards, or delete and create again. */
  deletionLimit: z.int().min(0),
});

export type Customer = z.infer<typeof customer>;
export type Lists = z.infer<typeof schema>;

/** Reads customers.json and shards.json. Error: a RunError, which Pulumi prints without its stack. */
export function readLists(folder = __dirname): Lists {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown;
  const { data, error } = schema.safeParse({
    ...Object(read("shards.json")),
    customers: read("customers.json"),
  });
  if (error) throw new RunError(`customers.json or shards.json: ${z.prettifyError(error)}`);
  const ids = data.customers.map(({ id }) => id);
  const twice = [...repeated(ids), ...repeated([...data.shards, ...data.retired])].at(0);
  if (twice !== undefined) throw new RunError(`${twice} is listed twice`);
  return data;
}

function repeated(names: readonly string[]): string[] {
  const unseen = new Set(names);
  return names.filter((name) => !unseen.delete(name));
}

/** Without undefined properties, which a state doesn't have. */
export function groupOf({ name }: Customer): GroupArgs {
  return { name };
}

/** The groups of a shard, by customer. A retired shard has none. */
export function groupsOf(shard: string, { customers, shards }: Lists): Record<string, GroupArgs> {
  const ours = customers.filter((each) => shardOf(each, shards) === shard);
  return Object.fromEntries(ours.map((each) => [each.id, groupOf(each)]));
}

/**
 * Rendezvous hashing: each shard draws a number for the customer, and the highest wins. An added shard wins some
 * customers from each of the others, and nobody else moves. A removed one gives its customers to the others.
 */
export function shardOf({ id }: Pick<Customer, "id">, shards: readonly string[]): string {
  const draws = shards.map((shard) => ({ shard, number: hash("sha256", JSON.stringify([shard, id])) }));
  return draws.reduce((best, each) => (each.number > best.number ? each : best)).shard;
}

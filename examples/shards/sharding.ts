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
  for (const names of [data.customers.map(({ id }) => id), [...data.shards, ...data.retired]])
    if (new Set(names).size < names.length) throw new RunError(`${firstTwice(names)} is listed twice`);
  return data;
}

function firstTwice(names: readonly string[]): string {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size) ?? "";
}

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

/** Equal for two values that differ only in the order of keys. */
export function digestOf(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part !== "object" || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  return hash("sha256", JSON.stringify(value, sorted));
}

/** The first few, for a message. */
export function few(names: readonly string[]): string {
  const [...different] = new Set(names);
  const rest = different.length - 5;
  return [...different.slice(0, 5), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

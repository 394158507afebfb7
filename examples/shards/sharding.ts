/** The customers, the shards, and which customer belongs to which shard. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import type { GroupArgs } from "pulumi-user-groups";
import { z } from "zod";

const customer = z.strictObject({ id: z.string().min(1), name: z.string().min(1) });

/** The stack's name alone: `pulumi.getStack()` knows neither organization nor project. */
const shard = z.string().regex(/^[\w.-]+$/, {
  error: ({ input }) => `"${String(input)}" must be a stack's name alone, without organization and project`,
});

const shardsFile = z.strictObject({ shards: z.array(shard).min(1), retired: z.array(shard) });

export type Customer = z.infer<typeof customer>;

export interface Lists {
  readonly customers: readonly Customer[];
  /** The stacks that hold the customers. */
  readonly shards: readonly string[];
  /** The stacks that held customers, and give them to the shards. */
  readonly retired: readonly string[];
}

/** Reads customers.json and shards.json, or throws an error that says what is wrong there. */
export function readLists(folder = __dirname): Lists {
  const customers = read(z.array(customer), join(folder, "customers.json"));
  const { shards, retired } = read(shardsFile, join(folder, "shards.json"));
  refuseTwice(
    "customers.json",
    customers.map(({ id }) => id),
  );
  refuseTwice("shards.json", [...shards, ...retired]);
  return { customers, shards, retired };
}

/** The group of a customer. */
export function groupOf({ name }: Customer): GroupArgs {
  return { name };
}

/**
 * Rendezvous hashing: each shard draws a number for the customer, and the highest wins. An added shard wins some
 * customers from each of the others, and nobody else moves. A removed one gives its customers to the others.
 */
export function shardOf({ id }: Pick<Customer, "id">, shards: readonly string[]): string {
  const draws = shards.map((shard) => ({ shard, number: draw(shard, id) }));
  return draws.reduce((best, each) => (each.number > best.number ? each : best)).shard;
}

function draw(shard: string, id: string): string {
  return hash("sha256", JSON.stringify([shard, id]));
}

/** A RunError is shown without its stack. */
function read<Type>(schema: z.ZodType<Type>, file: string): Type {
  const { data, error } = schema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (error) throw new RunError(`${file}: ${z.prettifyError(error)}`);
  return data;
}

/** Of two entries with one ID, the last would win: the customer would be renamed, and get a new token. */
function refuseTwice(file: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  const twice = ids.filter((id) => seen.size === seen.add(id).size);
  if (twice.length > 0) throw new RunError(`${file}: ${few(twice)} is listed twice`);
}

/** The first few, for a message. */
export function few(names: readonly string[]): string {
  const [...different] = new Set(names);
  const rest = different.length - 5;
  return [...different.slice(0, 5), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

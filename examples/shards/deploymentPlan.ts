/** What one deployment does: decided once, and carried out by one machine or by many. */
import { hash } from "node:crypto";
import { z } from "zod";
import { few, type Lists } from "./sharding";

const schema = z.object({
  /** Of the lists that the plan was made for. */
  digest: z.string(),
  /** What becomes of a group that leaves a shard: while customers move, it is only forgotten. */
  removed: z.enum(["delete", "retain"]),
  /** Shards that may be brought up at once. The second stage gives customers to the first, which must be done before. */
  stages: z.tuple([z.array(z.string()), z.array(z.string())]),
});

export type Plan = z.infer<typeof schema>;

/** Reads a plan, and makes sure that it was made for the same lists. */
export function parsePlan(text: string, lists: Lists): Plan {
  const plan = schema.parse(JSON.parse(text));
  if (plan.digest === digestOf(lists)) return plan;
  throw new Error("plan.json was made for other customers or other shards. Make it again: npm run plan");
}

export function digestOf(lists: Lists): string {
  return hash("sha256", JSON.stringify(lists));
}

/** The shards of a stage that are among `names`; all of them without names. */
export function ofStage({ stages }: Plan, stage: number, names: readonly string[], lists: Lists): string[] {
  const unknown = names.filter((name) => ![...lists.shards, ...lists.retired].includes(name));
  if (unknown.length > 0) throw new Error(`Not in shards.json: ${few(unknown)}`);
  const shards = stages[stage - 1];
  if (!shards) throw new Error("There are the stages 1 and 2");
  return names.length === 0 ? shards : shards.filter((shard) => names.includes(shard));
}

/** Every fourth shard from the second on, where the share is 2/4. */
export function shareOf(shards: readonly string[], share: string): string[] {
  const [part = 0, parts = 0] = share.split("/").map(Number);
  if (!(part >= 1 && part <= parts)) throw new Error(`A share is one such as 2/4, not ${share}`);
  return shards.filter((_, index) => index % parts === part - 1);
}

/**
 * Brings shards up:
 *
 *     npm run deploy                                    all of them, from here
 *     npm run plan                                      only decides, and writes plan.json for other machines
 *     npm run deploy -- --stage 1 tenants-1 tenants-2   those of these shards that plan.json puts into the stage
 *     npm run deploy -- --stage 1 --share 2/4           the second quarter of the stage
 *
 * With --parallel 2, two of them at a time; without it four.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decide, refuseEarly } from "./decide";
import { ofStage, parsePlan, shareOf, type Plan } from "./deploymentPlan";
import { few, readLists, type Lists } from "./sharding";
import { bringUp, readStates } from "./stacks";

const planFile = join(__dirname, "plan.json");

const options = {
  plan: { type: "boolean" },
  stage: { type: "string" },
  share: { type: "string", default: "1/1" },
  parallel: { type: "string", default: "4" },
} as const;

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { positionals: names, values } = parseArgs({ allowPositionals: true, options });
  const parallel = Number(values.parallel);
  if (!(parallel >= 1)) throw new Error(`--parallel takes a number, not ${values.parallel}`);
  const lists = readLists();
  if (values.stage !== undefined) {
    const plan = parsePlan(readFileSync(planFile, "utf8"), lists);
    const due = shareOf(ofStage(plan, Number(values.stage), names, lists), values.share);
    if (due.length === 0) console.log(`Nothing to do in stage ${values.stage}`);
    return bringUpAll(due, plan, lists, parallel);
  }
  if (names.length > 0) throw new Error("Some of the shards are brought up by stages, after npm run plan.");
  const plan = decide(lists, await readStates());
  report(plan, lists);
  if (values.plan) writeFileSync(planFile, JSON.stringify(plan));
  else for (const stage of plan.stages) await bringUpAll(stage, plan, lists, parallel);
}

function report({ removed, stages: [first, second] }: Plan, { customers, shards }: Lists): void {
  console.log(
    `${customers.length} customers in ${shards.length} shards; a group that leaves its shard: ${removed}`,
  );
  if (second.length > 0) console.log(`Customers move: stage 1 is ${few(first)}; stage 2 is ${few(second)}`);
}

async function bringUpAll(
  shards: readonly string[],
  plan: Plan,
  lists: Lists,
  parallel: number,
): Promise<void> {
  if (shards.some((shard) => plan.stages[1].includes(shard))) refuseEarly(shards, lists, await readStates());
  const failed: string[] = [];
  const waiting = [...shards];
  const lane = async () => {
    for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift())
      if (!(await bringUp(shard, plan.removed))) failed.push(shard);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  if (failed.length > 0) throw new Error(`Failed: ${few(failed)}. What is done stays done.`);
}

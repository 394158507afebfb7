/** Brings all shards up at once, and says of each how far it is. */
import { LocalWorkspace, type EngineEvent, type Stack } from "@pulumi/pulumi/automation";
import { z } from "zod";
import { customers, shardOf, shards } from "./sharding";

void deploy().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function deploy(): Promise<void> {
  const stacks = await openStacks();
  const removed = await whatBecomesOfRemoved(stacks);
  console.log(`${customers.length} customers in ${shards.length} shards; a group that leaves: ${removed}`);
  const outcomes = await Promise.all(stacks.map((stack) => bringUp(stack, removed)));
  if (outcomes.includes("failed")) throw new Error("Some shards failed; the next run does the rest.");
}

/** A shard that is no longer listed is brought up too: it has no customers, and forgets those that it had. */
async function openStacks(): Promise<Stack[]> {
  const workDir = __dirname;
  const workspace = await LocalWorkspace.create({ workDir });
  const existing = (await workspace.listStacks()).map(({ name }) => name);
  const names = [...new Set([...shards, ...existing])];
  return Promise.all(names.map((stackName) => LocalWorkspace.createOrSelectStack({ stackName, workDir })));
}

/** Who leaves one shard for another is only forgotten there, and taken over here; who has left for good is deleted. */
async function whatBecomesOfRemoved(stacks: readonly Stack[]): Promise<"retain" | "delete"> {
  const listed = new Set(customers.map(({ id }) => id));
  const held = await Promise.all(stacks.map(async (stack) => ({ stack, ids: await idsIn(stack) })));
  const gone = held.flatMap(({ ids }) => ids.filter((id) => !listed.has(id)));
  const moving = held.flatMap(({ stack, ids }) =>
    ids.filter((id) => listed.has(id) && shardOf({ id }) !== stack.name),
  );
  if (moving.length === 0) return "delete";
  if (gone.length === 0) return "retain";
  throw new Error(
    `${moving.length} customers move to another shard while ${gone.length} are gone from the list ` +
      `(${gone.slice(0, 5).join(", ")}). One after the other: put these back, deploy, and take them out again.`,
  );
}

const resource = z.object({
  type: z.string(),
  outputs: z.looseObject({ groups: z.record(z.string(), z.unknown()).optional() }).optional(),
});
const deployment = z.object({ resources: z.array(resource).default([]) });

/** What a shard has recorded, also by a run that failed. */
async function idsIn(stack: Stack): Promise<string[]> {
  const { resources } = deployment.parse((await stack.exportStack()).deployment);
  const tenants = resources.filter(({ type }) => type.endsWith(":UserGroups"));
  return tenants.flatMap(({ outputs }) => Object.keys(outputs?.groups ?? {}));
}

async function bringUp(stack: Stack, removed: "retain" | "delete"): Promise<"done" | "failed"> {
  const say = (line: string) => {
    console.log(`[${stack.name}] ${line}`);
  };
  stack.workspace.envVars = { ...stack.workspace.envVars, TENANTS_REMOVED: removed };
  const onEvent = (event: EngineEvent) => {
    for (const line of linesOf(event)) say(line);
  };
  const start = Date.now();
  try {
    await stack.up({ onEvent });
    say(
      `done after ${Math.round((Date.now() - start) / 1000)} s, with ${(await idsIn(stack)).length} customers`,
    );
    return "done";
  } catch {
    say("failed");
    return "failed";
  }
}

/** Warnings, errors, and how far a long run is. The engine's events hold debug notes too, with tokens in plain text. */
function linesOf({ diagnosticEvent }: EngineEvent): string[] {
  if (!diagnosticEvent || !shown.has(diagnosticEvent.severity)) return [];
  return diagnosticEvent.message.split("\n").filter((line) => line.trim() !== "");
}

const shown = new Set<string>(["info", "info#err", "warning", "error"]);

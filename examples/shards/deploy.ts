/**
 *     npm run preview [shard…]   shows what npm run deploy would do, and sends no request
 *     npm run deploy [shard…]    brings up all shards, or these, one after the other
 *     npm run stages             prints which shards come first and which after them, for the matrix of a CI
 *     npm run refresh shard…     makes the states of shards exact whose update was interrupted
 *     npm run remove shard…      removes empty stacks of retired shards, and sends no request
 *
 * Each command reads the states of all stacks and decides anew, so that no decision is stale.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { z } from "zod";
import { decide, few, type Decision, type ShardState } from "./decide";
import { readLists } from "./sharding";

process.on("uncaughtException", ({ message }) => {
  console.error(message);
  process.exitCode = 1;
});

// With more than this, engine 3.250 may wait forever for a connection to PostgreSQL when it lists many stacks.
const env = { ...process.env, PULUMI_DIY_BACKEND_PARALLEL: "1" };
const options = { cwd: __dirname, shell: process.platform === "win32" } as const;

const declared = z.object({ groups: z.record(z.string(), z.unknown()).default({}) }).default({ groups: {} });
const resource = z.object({ type: z.string(), inputs: declared, outputs: declared });
const operations = z.array(z.object({ type: z.string(), resource })).default([]);
const deployment = z.object({ resources: z.array(resource).default([]), pending_operations: operations });

const lists = readLists();
const [command = "", ...named] = process.argv.slice(2);
const unknown = named.filter((name) => ![...lists.shards, ...lists.retired].includes(name));
if (unknown.length > 0) throw new Error(`Not in shards.json: ${few(unknown)}`);
new Map(Object.entries({ preview, deploy, stages, refresh, remove })).get(command)?.();

function preview(): void {
  const states = readStates();
  const decision = decide(lists, states);
  console.log(decision.summary);
  const shards = chosen([...decision.first, ...decision.then]);
  for (const shard of shards)
    if (!states.has(shard)) console.log(`${shard}: a new stack, whose groups are created or move`);
  const failed = shards.filter((shard) => states.has(shard) && !runDecided(shard, decision, "preview"));
  if (failed.length > 0) throw new Error(`Failed previews: ${few(failed)}.`);
}

function deploy(done: readonly string[] = []): void {
  const states = readStates();
  const decision = decide(lists, states);
  console.log(decision.summary);
  const now = chosen(decision.first).filter((shard) => !done.includes(shard));
  const later = chosen(decision.then);
  if (now.length === 0 && later.length > 0)
    throw new Error(`${few(later)} must wait: first deploy the shards that their customers move to.`);
  for (const shard of now) if (!states.has(shard)) pulumi("stack", "init", "--no-select", shard);
  const failed = now.filter((shard) => !runDecided(shard, decision, "up", "--yes", "--skip-preview"));
  if (failed.length > 0) throw new Error(`Failed: ${few(failed)}. Completed changes stay.`);
  if (later.length > 0) deploy([...done, ...now]);
}

function stages(): void {
  const { first, then } = decide(lists, readStates());
  console.log(`first=${JSON.stringify(first)}\nthen=${JSON.stringify(then)}`);
}

function refresh(): void {
  const args = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates"];
  const failed = named.filter((shard) => !run(shard, "retain", ...args));
  if (failed.length > 0 || named.length === 0) throw new Error(`Failed, or not named: ${few(failed)}`);
}

function remove(): void {
  const states = readStates();
  const isEmpty = (shard: string) => Object.keys(states.get(shard)?.groups ?? { none: "" }).length === 0;
  const inUse = named.filter((shard) => !lists.retired.includes(shard) || !isEmpty(shard));
  if (inUse.length > 0)
    throw new Error(`Not empty, or not retired: ${few(inUse)}. First run npm run deploy.`);
  for (const shard of named) pulumi("stack", "rm", "--yes", "--force", "--stack", shard);
}

/** Those that the command line names; all of them if it names none. */
function chosen(shards: readonly string[]): string[] {
  return shards.filter((shard) => named.length === 0 || named.includes(shard));
}

/** Whether Pulumi succeeded. A shard isn't touched while a state that it depends on isn't exact. */
function runDecided(shard: string, { givers, inexact }: Decision, ...args: readonly string[]): boolean {
  const cause = inexact.get(shard);
  if (cause === undefined) return run(shard, givers.has(shard) ? "retain" : "delete", ...args);
  console.log(`${shard}: first run npm run refresh -- ${cause}, because an update of it was interrupted.`);
  return false;
}

function run(shard: string, removed: "retain" | "delete", ...args: readonly string[]): boolean {
  console.log(`${shard}:`);
  const flags = ["--non-interactive", "--color=never", "--suppress-outputs", "--suppress-progress"];
  const settings = { ...options, env: { ...env, SHARD_REMOVED: removed }, stdio: "inherit" } as const;
  return spawnSync("pulumi", [...args, ...flags, "--stack", shard], settings).status === 0;
}

function readStates(): Map<string, ShardState> {
  const stacks = z.array(z.object({ name: z.string() })).parse(JSON.parse(pulumi("stack", "ls", "--json")));
  return new Map(stacks.map(({ name }) => [name, readState(name)]));
}

/** The command leaves tokens encrypted, unlike the Automation API's `exportStack`. */
function readState(stack: string): ShardState {
  const exported = z.object({ deployment }).parse(JSON.parse(pulumi("stack", "export", "--stack", stack)));
  const { resources, pending_operations: pending } = exported.deployment;
  const isTenants = ({ type }: { type: string }) => type.endsWith(":UserGroups");
  const tenants = resources.find(isTenants);
  const { inputs, outputs } = tenants ?? resource.parse({ type: "" });
  const groups = Object.fromEntries(Object.keys(outputs.groups).map((id) => [id, inputs.groups[id]]));
  // Pulumi keeps an interrupted creation until a refresh, also when a later update has completed it.
  const open = pending.find((each) => isTenants(each.resource) && !(tenants && each.type === "creating"));
  return { groups, isInexact: open !== undefined };
}

function pulumi(...args: readonly string[]): string {
  return execFileSync("pulumi", args, { ...options, env, encoding: "utf8", maxBuffer: Infinity });
}

/**
 *     npm run preview [shard…]   shows what npm run deploy would do, and sends no request
 *     npm run deploy [shard…]    brings up all shards, or these, one after the other
 *     npm run stages             prints which shards come first and which after them, for the matrix of a CI
 *     npm run remove shard…      removes empty stacks of retired shards, and sends no request
 *
 * Each command reads the states of all stacks and decides anew, so that no decision is stale.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { z } from "zod";
import { decide, type Decision, type ShardState } from "./decide";
import { digestOf, few, groupsOf, readLists, type Lists } from "./sharding";

// With more than this, engine 3.250 may wait forever for a connection to PostgreSQL when it lists many stacks.
const env = { ...process.env, PULUMI_DIY_BACKEND_PARALLEL: "1" };
const shell = process.platform === "win32";
const [command = "", ...named] = process.argv.slice(2);

const declared = z.object({ groups: z.record(z.string(), z.unknown()).default({}) }).default({ groups: {} });
const initErrors = z.array(z.string()).default([]);
const resource = z.object({ type: z.string(), inputs: declared, outputs: declared, initErrors });
const operations = z.array(z.object({ type: z.string(), resource })).default([]);
const state = z.object({
  deployment: z.object({ resources: z.array(resource).default([]), pending_operations: operations }),
});

const commands: Readonly<Record<string, ((lists: Lists) => void) | undefined>> = {
  preview(lists) {
    const states = readStates();
    const decision = decide(lists, states);
    console.log(decision.summary);
    for (const shard of due(lists, [...decision.first, ...decision.then]))
      if (!states.has(shard)) console.log(`${shard}: a new stack, whose groups are created or move`);
      else if (!run(shard, decision, "preview")) throw new Error(`The preview of ${shard} failed.`);
  },
  deploy(lists) {
    const done: string[] = [];
    for (let waiting = true; waiting;) {
      const states = readStates();
      const decision = decide(lists, states);
      console.log(decision.summary);
      const now = due(lists, decision.first).filter((shard) => !done.includes(shard));
      const later = due(lists, decision.then);
      if (now.length === 0 && later.length > 0)
        throw new Error(`${few(later)} must wait: first deploy the shards that their customers move to.`);
      const failed = now.filter((shard) => !bringUp(shard, lists, decision, states.has(shard)));
      if (failed.length > 0) throw new Error(`Failed: ${few(failed)}. Completed changes stay.`);
      done.push(...now);
      waiting = later.length > 0;
    }
  },
  stages(lists) {
    const { first, then } = decide(lists, readStates());
    console.log(`first=${JSON.stringify(first)}\nthen=${JSON.stringify(then)}`);
  },
  remove({ retired }) {
    const states = readStates();
    const inUse = named.filter((name) => !retired.includes(name) || states.get(name)?.groups.size !== 0);
    if (inUse.length > 0)
      throw new Error(`Not empty, or not retired: ${few(inUse)}. First run npm run deploy.`);
    for (const shard of named) query("stack", "rm", "--yes", "--force", "--stack", shard);
  },
};

try {
  commands[command]?.(readLists());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Those that the command line names; all of them if it names none. */
function due({ shards, retired }: Lists, among: readonly string[]): string[] {
  const unknown = named.filter((name) => ![...shards, ...retired].includes(name));
  if (unknown.length > 0) throw new Error(`Not in shards.json: ${few(unknown)}`);
  return among.filter((shard) => named.length === 0 || named.includes(shard));
}

function bringUp(shard: string, lists: Lists, decision: Decision, exists: boolean): boolean {
  if (!exists) query("stack", "init", "--no-select", shard);
  return run(shard, decision, "up", "--yes", "--skip-preview", "--message", digestOf(groupsOf(shard, lists)));
}

/** Whether Pulumi succeeded. */
function run(shard: string, { givers }: Decision, ...args: readonly string[]): boolean {
  console.log(`${shard}:`);
  const flags = ["--non-interactive", "--color=never", "--suppress-outputs", "--suppress-progress"];
  const all = { ...env, SHARD_REMOVED: givers.has(shard) ? "retain" : "delete" };
  const options = { cwd: __dirname, env: all, shell, stdio: "inherit" } as const;
  return spawnSync("pulumi", [...args, ...flags, "--stack", shard], options).status === 0;
}

function readStates(): Map<string, ShardState> {
  const stacks = z.array(z.object({ name: z.string() })).parse(query("stack", "ls", "--json"));
  return new Map(stacks.map(({ name }) => [name, readState(name)]));
}

function readState(stack: string): ShardState {
  const { resources, pending_operations: pending } = state.parse(
    query("stack", "export", "--stack", stack),
  ).deployment;
  const isTenants = ({ type }: { type: string }) => type.endsWith(":UserGroups");
  const tenants = resources.find(isTenants);
  const { inputs, outputs, initErrors } = tenants ?? resource.parse({ type: "" });
  const groups = new Map(Object.keys(outputs.groups).map((id) => [id, digestOf(inputs.groups[id])]));
  // Pulumi keeps an interrupted creation until a refresh, also when a later update has completed it.
  const open = pending.find((each) => isTenants(each.resource) && !(tenants && each.type === "creating"));
  if (open) return { groups, unfinished: digestOf(open.resource.inputs.groups) };
  return { groups, unfinished: initErrors.length > 0 ? lastMessage(stack) : undefined };
}

/** The state of a failed update doesn't have the groups that it was to declare. The message has their digest. */
function lastMessage(stack: string): string {
  const history = query("stack", "history", "--json", "--page-size", "1", "--stack", stack);
  const [last = { message: "" }] = z.array(z.object({ message: z.string() })).parse(history);
  return last.message;
}

/** The command leaves tokens encrypted, unlike the Automation API's `exportStack`. */
function query(...args: string[]): unknown {
  const printed = execFileSync("pulumi", args, {
    cwd: __dirname,
    env,
    shell,
    encoding: "utf8",
    maxBuffer: Infinity,
  });
  return args.includes("--json") || args.includes("export") ? JSON.parse(printed) : printed;
}

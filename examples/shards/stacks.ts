/** The shards' stacks: what they have recorded, and how one of them is brought up. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import {
  CommandError,
  ConcurrentUpdateError,
  LocalWorkspace,
  type EngineEvent,
} from "@pulumi/pulumi/automation";
import { z } from "zod";
import type { Recorded, States } from "./decide";
import type { Plan } from "./deploymentPlan";

const workDir = __dirname;

/** Reads the states of all stacks of the project, also those that a failed or killed run has left. */
export async function readStates(): Promise<States> {
  const stacks = z.array(z.object({ name: z.string() })).parse(await query("ls", "--json"));
  const states = new Map<string, Recorded>();
  for (const { name } of stacks) states.set(name, await readState(name));
  return states;
}

async function readState(name: string): Promise<Recorded> {
  const { resources } = exported.parse(await query("export", "--stack", name)).deployment;
  const tenants = resources.find(({ type }) => type.endsWith(":UserGroups"));
  if (!tenants) return { groups: new Map(), hasFailed: false };
  const { inputs, outputs, initErrors } = userGroups.parse(tenants);
  const declared = Object.keys(outputs.groups).map((id) => [id, inputs.groups[id]] as const);
  return { groups: new Map(declared), hasFailed: initErrors.length > 0 };
}

/** Unlike the Automation API's `exportStack`, the command leaves the tokens encrypted. */
async function query(...command: string[]): Promise<unknown> {
  // With more than this, engine 3.250 may wait forever for a connection to PostgreSQL when it lists many stacks.
  const env = { ...process.env, PULUMI_DIY_BACKEND_PARALLEL: "1" };
  const options = { cwd: workDir, env, maxBuffer: Infinity, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)("pulumi", ["stack", ...command], options);
  return JSON.parse(stdout) as unknown;
}

const exported = z.object({
  deployment: z.object({ resources: z.array(z.looseObject({ type: z.string() })).default([]) }),
});

const groups = z.object({ groups: z.record(z.string(), z.looseObject({})).default({}) });

const userGroups = z.object({
  inputs: groups,
  outputs: groups,
  initErrors: z.array(z.string()).default([]),
});

/** Says how far the shard is and what fails, and resolves to whether it is done. */
export async function bringUp(stackName: string, removed: Plan["removed"]): Promise<boolean> {
  const say = (line: string) => {
    console.log(`[${stackName}] ${line}`);
  };
  const onEvent = (event: EngineEvent) => {
    linesOf(event).forEach(say);
  };
  const start = Date.now();
  try {
    const envVars = { TENANTS_REMOVED: removed };
    const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir }, { envVars });
    await stack.up({ onEvent });
    say(`done after ${Math.round((Date.now() - start) / 1000)} s`);
    return true;
  } catch (error) {
    say(`failed: ${reasonOf(error)}`);
    if (error instanceof ConcurrentUpdateError)
      say(`If no other deployment runs, unlock the stack: npx pulumi cancel --yes --stack ${stackName}`);
    return false;
  }
}

/** Warnings, errors, and how far a long run is. The engine's events hold debug notes too, with tokens in plain text. */
function linesOf({ diagnosticEvent }: EngineEvent): string[] {
  if (!diagnosticEvent || !shown.has(diagnosticEvent.severity)) return [];
  return diagnosticEvent.message.split("\n").filter((line) => line.trim() !== "");
}

const shown = new Set<string>(["info", "info#err", "warning", "error"]);

/** The engine's own errors, such as that of a locked stack, are no events. They stand at the start of a line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof CommandError)) return String(error);
  const [, reason] = /^error: (.*(?:\n {2,}\S.*)*)/m.exec(error.message) ?? [];
  return reason ?? (/^\s+error: /m.test(error.message) ? "see above" : error.message);
}

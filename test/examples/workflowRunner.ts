import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { z } from "zod";
import type { Step, Workflow } from "./workflow";

interface Runner {
  readonly folder: string;
  /** The environment of a runner, without anything that the workflow sets. */
  readonly env: Readonly<Record<string, string>>;
  /** The repository's secrets and variables: `secrets.NAME` or `vars.NAME` → value. Others are empty, as on GitHub. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a workflow as far as its steps touch Pulumi: `run` in a shell, and `pulumi/actions` by the commands that it runs.
 * Skips the steps that get the code and the packages, and those that write a cache.
 */
export async function runWorkflow({ jobs }: Workflow, runner: Runner): Promise<Ended> {
  let ended: Ended = { code: 0, output: "" };
  for (const job of Object.values(jobs))
    for (const step of job.steps) {
      if (ended.code !== 0 && !step.if?.startsWith("always()")) continue;
      const { code, output } = await runStep(step, { ...job.env, ...step.env }, runner);
      ended = { code: ended.code || code, output: ended.output + output };
    }
  return ended;
}

async function runStep({ uses, run, with: inputs }: Step, env: Step["env"], runner: Runner): Promise<Ended> {
  const all = { ...runner.env, ...expanded(env, runner.values) };
  if (run !== undefined && run !== "npm ci") return command("bash", ["-e", "-c", run], runner.folder, all);
  if (uses?.startsWith("pulumi/actions@") && "command" in inputs)
    return pulumiAction(pulumiInputs.parse(inputs), runner.folder, all);
  return { code: 0, output: "" };
}

/** Those inputs of the action that the workflows use. */
const pulumiInputs = z.strictObject({
  command: z.enum(["preview", "up"]),
  "stack-name": z.string(),
  "comment-on-pr": z.boolean().default(false),
});

/** The action logs in, selects the stack, runs the command and reads the outputs. It goes on without a login. */
async function pulumiAction(
  { command: name, "stack-name": stack }: z.infer<typeof pulumiInputs>,
  folder: string,
  env: Record<string, string>,
): Promise<Ended> {
  const pulumi = (...args: string[]) => command("pulumi", ["--non-interactive", ...args], folder, env);
  let { output } = await pulumi("login");
  for (const args of [
    ["stack", "select", stack],
    [name, "--stack", stack, ...(name === "up" ? ["--yes", "--skip-preview"] : [])],
    ["stack", "output", "--json", "--show-secrets", "--stack", stack],
  ]) {
    const ended = await pulumi(...args);
    output += ended.output;
    if (ended.code !== 0) return { code: ended.code, output };
  }
  return { code: 0, output };
}

function expanded(env: Step["env"], values: Runner["values"]): Record<string, string> {
  const text = (value: string) =>
    value.replace(/\$\{\{ ((?:secrets|vars)\.\w+) \}\}/g, (_, name: string) => values[name] ?? "");
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, text(value)]));
}

export function command(
  file: string,
  args: string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(file, args, { cwd, env }, (error, stdout, stderr) => {
      done({ code: error ? (child.exitCode ?? 1) : 0, output: stdout + stderr });
    });
  });
}

/** Asserts that a command ends well. */
export async function succeeds(running: Promise<Ended>): Promise<Ended> {
  const ended = await running;
  assert.equal(ended.code, 0, ended.output);
  return ended;
}

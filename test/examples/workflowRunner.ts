import { spawn } from "node:child_process";
import { z } from "zod";
import { ended, type Ended } from "../harness/run";
import type { Step, Workflow } from "./workflow";

interface Runner {
  readonly folder: string;
  /** The environment of a runner, without anything that the workflow sets. */
  readonly env: Readonly<Record<string, string>>;
  /** The repository's secrets and variables: `secrets.NAME` or `vars.NAME` → value. Others are empty, as on GitHub. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Runs a workflow as far as its steps touch Pulumi: `run` in a shell, and `pulumi/actions` by the commands that it runs.
 * Skips the steps that get the code and the packages, and those that write a cache.
 */
export async function runWorkflow({ jobs }: Workflow, runner: Runner): Promise<Ended> {
  let all = nothing;
  for (const job of Object.values(jobs))
    for (const step of job.steps) {
      if (all.code !== 0) continue;
      const done = await runStep(step, { ...job.env, ...step.env }, runner);
      all = { ...done, output: all.output + done.output };
    }
  return all;
}

async function runStep({ uses, run, with: inputs }: Step, env: Step["env"], runner: Runner): Promise<Ended> {
  const all = { ...runner.env, ...expanded(env, runner.values) };
  if (run !== undefined && run !== "npm ci")
    return command("bash", ["-eo", "pipefail", "-c", run], runner.folder, all);
  if (uses?.startsWith("pulumi/actions@") && "command" in inputs)
    return pulumiAction(pulumiInputs.parse(inputs), runner.folder, all);
  return nothing;
}

const nothing: Ended = { code: 0, stdout: "", stderr: "", output: "" };

/** Those inputs of the action that the workflows use. */
const pulumiInputs = z.strictObject({
  command: z.enum(["preview", "up"]),
  "stack-name": z.string(),
  "comment-on-pr": z.boolean().default(false),
  "comment-on-summary": z.boolean().default(false),
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
    const done = await pulumi(...args);
    output += done.output;
    if (done.code !== 0) return { ...done, output };
  }
  return { ...nothing, output };
}

function expanded(env: Step["env"], values: Runner["values"]): Record<string, string> {
  const text = (value: string) =>
    value.replace(/\$\{\{ ((?:secrets|vars)\.\w+) \}\}/g, (_, name: string) => values[name] ?? "");
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, text(value)]));
}

export function command(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return ended(spawn(file, args, { cwd, env }));
}

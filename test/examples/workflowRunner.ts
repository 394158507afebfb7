import { execFile } from "node:child_process";
import { z } from "zod";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
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
 * Runs a workflow as far as its steps touch Pulumi: `run` in a shell, and `pulumi/actions` by the Automation API, as that action
 * does. Skips the steps that get the code and the packages, and those that write a cache.
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

/** The action logs in, selects the stack, runs the command and reads the outputs. */
async function pulumiAction(
  inputs: z.infer<typeof pulumiInputs>,
  workDir: string,
  envVars: Record<string, string>,
): Promise<Ended> {
  const login = await command("pulumi", ["--non-interactive", "login"], workDir, envVars);
  try {
    const stack = await LocalWorkspace.selectStack({ stackName: inputs["stack-name"], workDir }, { envVars });
    const { stdout, stderr } = await stack[inputs.command]();
    await stack.outputs();
    return { code: 0, output: login.output + stdout + stderr };
  } catch (error) {
    return { code: 1, output: login.output + String(error) };
  }
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

/** The workflows of examples/pipeline for GitHub Actions, and a runner for them. */
import { tmpdir } from "node:os";
import { parse } from "yaml";
import { z } from "zod";
import type { Project } from "../engine/harness/project";
import { run, type Ended, type Environment } from "../harness/run";
import { pathWithTools } from "./example";

const env = z.record(z.string(), z.string()).default({});

const step = z.strictObject({
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env,
});

const workflow = z.looseObject({
  on: z.unknown(),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({ environment: z.string().optional(), env, steps: z.array(step) }),
  ),
});

type Step = z.infer<typeof step>;
export type Workflow = z.infer<typeof workflow>;

/** A workflow, as far as the tests read it. */
export function workflowIn(text: string | undefined): Workflow {
  return workflow.parse(parse(text ?? ""));
}

export function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

interface Runner {
  readonly folder: string;
  /** The environment of a runner, without anything that the workflow sets. */
  readonly env: Environment;
  /** The repository's secrets and variables: `secrets.NAME` or `vars.NAME` → value. Others are empty, as on GitHub. */
  readonly values: Readonly<Record<string, string>>;
}

/** The environment of a runner, without any secret. */
export function runnerEnvironment({ home }: Project): Environment {
  const { HOME = "", TMPDIR = tmpdir() } = process.env;
  return { PATH: pathWithTools(), HOME, TMPDIR, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
}

/**
 * Runs a workflow as far as its steps touch Pulumi: `run` in a shell, and `pulumi/actions` by the commands that it runs.
 * Skips the steps that get the code and the packages, and those that write a cache.
 */
export async function runWorkflow({ jobs }: Workflow, runner: Runner): Promise<Ended> {
  const commands = Object.values(jobs).flatMap((job) =>
    job.steps.flatMap((step) => {
      const env = { ...runner.env, ...expanded({ ...job.env, ...step.env }, runner.values) };
      return commandsOf(step).map((command) => ({ command, env }));
    }),
  );
  let all: Ended = { code: 0, stdout: "", stderr: "", output: "" };
  for (const { command, env } of commands) {
    const done = await run("bash", ["-eo", "pipefail", "-c", command], { cwd: runner.folder, env });
    all = { ...done, output: all.output + done.output };
    if (done.code !== 0) return all;
  }
  return all;
}

/** Those inputs of the action that the workflows use. */
const pulumiInputs = z.strictObject({
  command: z.enum(["preview", "up"]),
  "stack-name": z.string(),
  "comment-on-pr": z.boolean().default(false),
  "comment-on-summary": z.boolean().default(false),
});

/** The action logs in, selects the stack, runs the command and reads the outputs. It goes on without a login. */
function commandsOf({ uses, run: script, with: inputs }: Step): string[] {
  if (script !== undefined) return script === "npm ci" ? [] : [script];
  if (!uses?.startsWith("pulumi/actions@") || !("command" in inputs)) return [];
  const { command, "stack-name": stack } = pulumiInputs.parse(inputs);
  return [
    "pulumi login --non-interactive || true",
    `pulumi stack select ${stack}`,
    `pulumi ${command} --non-interactive --stack ${stack} ${command === "up" ? "--yes --skip-preview" : ""}`,
    `pulumi stack output --json --show-secrets --stack ${stack}`,
  ];
}

function expanded(env: Step["env"], values: Runner["values"]): Record<string, string> {
  const text = (value: string) =>
    value.replace(/\$\{\{ ((?:secrets|vars)\.\w+) \}\}/g, (_, name: string) => values[name] ?? "");
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, text(value)]));
}

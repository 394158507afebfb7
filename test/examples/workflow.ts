import { parse } from "yaml";
import { z } from "zod";

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

export type Step = z.infer<typeof step>;
export type Workflow = z.infer<typeof workflow>;

/** A workflow for GitHub Actions, as far as the tests read it. */
export function workflowIn(text: string | undefined): Workflow {
  return workflow.parse(parse(text ?? ""));
}

export function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

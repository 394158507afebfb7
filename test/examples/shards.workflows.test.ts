import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const example = resolve(__dirname, "../../examples/shards");
const read = (file: string) => readFileSync(join(example, file), "utf8");

const env = z.record(z.string(), z.string()).default({});
const step = z.object({ run: z.string().default(""), env });
const workflow = z.object({
  concurrency: z.string().optional(),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.unknown().optional(),
      uses: z.string().optional(),
      with: z.record(z.string(), z.unknown()).default({}),
      steps: z.array(step).default([]),
    }),
  ),
});
const gitlabJob = z.object({
  extends: z.string().optional(),
  stage: z.string().optional(),
  variables: z.record(z.string(), z.number()).optional(),
  parallel: z.object({ matrix: z.array(z.record(z.string(), z.array(z.string()))) }).optional(),
  script: z.array(z.string()).optional(),
});

describe("examples/shards: the workflows for GitHub", () => {
  const [deploy, stage] = ["deploy", "stage"].map((name) =>
    workflow.parse(parse(read(`.github/workflows/${name}.yml`))),
  );
  const steps = Object.values({ ...deploy?.jobs, ...stage?.jobs }).flatMap((job) => job.steps);

  it("decide in one job, and bring the two stages up after it, one after the other", () => {
    const { plan, first, second } = deploy?.jobs ?? {};
    assert.equal(deploy?.concurrency, "production");
    assert.deepEqual([plan?.needs, first?.needs, second?.needs], [undefined, "plan", ["plan", "first"]]);
    assert.deepEqual([first?.uses, second?.uses], Array(2).fill("./.github/workflows/stage.yml"));
    assert.deepEqual([first?.with["stage"], second?.with["stage"]], [1, 2]);
  });

  it("give the API token to nothing but the step that deploys, and the backend to nothing but our own steps", () => {
    const given = (name: string) => steps.filter(({ env }) => name in env).map(({ run }) => run.slice(0, 14));
    assert.deepEqual(given("USER_GROUPS_API_TOKEN"), ["npm run deploy"]);
    assert.deepEqual(given("PULUMI_BACKEND_URL"), ["npm run plan", "npm run deploy"]);
  });
});

describe("examples/shards: the pipeline for GitLab", () => {
  const jobs = z.record(z.string(), z.unknown()).parse(parse(read(".gitlab/shards.yml")));
  const job = (name: string) => gitlabJob.parse(jobs[name]);

  it("runs one deployment at a time, by a resource group that the whole child pipeline holds", () => {
    const { deploy } = z.record(z.string(), z.unknown()).parse(parse(read(".gitlab-ci.yml")));
    assert.deepEqual(z.looseObject({ resource_group: z.string(), trigger: z.unknown() }).parse(deploy), {
      rules: [{ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }],
      resource_group: "production",
      trigger: { include: ".gitlab/shards.yml", strategy: "depend" },
    });
  });

  it("decides in one job, and brings the two stages up after it, one after the other", () => {
    assert.deepEqual(jobs["stages"], ["plan", "first", "second"]);
    assert.deepEqual(
      ["first", "second"].map((name) => [job(name).extends, job(name).stage, job(name).variables]),
      [
        [".shards", "first", { STAGE: 1 }],
        [".shards", "second", { STAGE: 2 }],
      ],
    );
  });

  it("divides each stage into shares that make up the whole", () => {
    const [{ SHARE: shares = [] } = {}] = job(".shards").parallel?.matrix ?? [];
    assert.deepEqual(
      shares,
      shares.map((_, index) => `${index + 1}/${shares.length}`),
    );
    assert(shares.length > 1);
    assert.match(job(".shards").script?.at(-1) ?? "", /--share "\$SHARE"$/);
  });
});

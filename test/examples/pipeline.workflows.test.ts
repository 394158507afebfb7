import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const pipeline = resolve(__dirname, "../../examples/pipeline");
const github = join(pipeline, ".github/workflows");
const read = (file: string) => fs.readFileSync(file, "utf8");

const env = z.record(z.string(), z.string()).default({});

const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env,
});

const workflow = z.object({
  on: z.unknown(),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.object({ environment: z.string().optional(), env, steps: z.array(step) })),
});

describe("examples/pipeline: the simple workflows", () => {
  const stepsOf = (name: string) => {
    const { jobs } = workflow.parse(parse(read(join(pipeline, "simple", name))));
    return Object.values(jobs).flatMap(({ environment, steps }) =>
      steps
        .filter(({ uses }) => uses?.startsWith("pulumi/actions@"))
        .map((step) => ({ environment, command: step.with?.["command"], env: Object.keys(step.env) })),
    );
  };

  it("preview without the API token, and deploy with it in an environment of its own", () => {
    const access = ["PULUMI_ACCESS_TOKEN"];
    const settings = ["USER_GROUPS_BASE_URL", "USER_GROUPS_API_TOKEN"];
    assert.deepEqual(stepsOf("preview.yml"), [{ environment: undefined, command: "preview", env: access }]);
    assert.deepEqual(stepsOf("up.yml"), [
      { environment: "production", command: "up", env: [...access, ...settings] },
    ]);
  });
});

describe("examples/pipeline: the workflows", () => {
  const workflows = new Map(
    fs.readdirSync(github).map((name) => [name, workflow.parse(parse(read(join(github, name))))]),
  );
  const gitlab = z.record(z.string(), z.unknown()).parse(parse(read(join(pipeline, ".gitlab-ci.yml"))));

  it("run a pull request's code without any secret, and with a token that can only read", () => {
    const text = read(join(github, "preview.yml"));
    assert.deepEqual(workflows.get("preview.yml")?.on, "pull_request");
    assert.deepEqual(workflows.get("preview.yml")?.permissions, { contents: "read" });
    assert.doesNotMatch(text, /secrets\.|vars\.|environment:|github\.token/);
  });

  it("never run on pull_request_target, whose token could write", () => {
    for (const [name, { on }] of workflows) assert(!JSON.stringify(on).includes("target"), name);
  });

  it("comment with a token that may write, and with the default branch's files only", () => {
    const { on, permissions, jobs } = workflows.get("comment.yml") ?? assert.fail();
    assert.deepEqual(on, { workflow_run: { workflows: ["Preview"], types: ["completed"] } });
    assert.equal(permissions["pull-requests"], "write");
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout"));
    assert.deepEqual(
      checkouts.map((step) => step.with),
      [{ "persist-credentials": false }],
    );
    assert.deepEqual(
      steps.flatMap(({ run }) => run ?? []),
      ['node ci/comment-github.mjs "$RUNNER_TEMP/preview/preview.txt"'],
    );
  });

  it("give the API token to nothing but the steps that need it, from the environment", () => {
    for (const name of ["deploy.yml", "drift.yml"]) {
      const jobs = Object.values(workflows.get(name)?.jobs ?? {});
      assert.deepEqual(
        jobs.map(({ environment }) => environment),
        ["production"],
      );
      const given = jobs.flatMap(({ steps }) => steps.filter(({ env }) => "USER_GROUPS_API_TOKEN" in env));
      assert.deepEqual(
        given.map(({ run }) => /^ci\/\w+\.sh/.exec(run ?? "")?.[0]),
        [`ci/${name.replace("yml", "sh")}`],
      );
      for (const { env } of jobs) assert(!("USER_GROUPS_API_TOKEN" in env));
    }
  });

  it("call scripts that are there and can be run", () => {
    const texts = [...workflows.keys()].map((name) => read(join(github, name)));
    const called = [...texts, JSON.stringify(gitlab)].flatMap(
      (text) => text.match(/ci\/[\w-]+\.(sh|mjs)/g) ?? [],
    );
    assert.equal(new Set(called).size, 6);
    for (const script of called) {
      const mode = fs.statSync(join(pipeline, script)).mode;
      assert(script.endsWith(".mjs") || (mode & 0o111) === 0o111, script);
    }
  });

  it("have the same jobs on GitLab", () => {
    const jobs = Object.keys(gitlab).filter((key) => key !== "default" && key !== "workflow");
    assert.deepEqual(jobs, ["preview", "comment", "up", "drift"]);
    assert.match(JSON.stringify(gitlab["preview"]), /merge_request_event/);
    assert.doesNotMatch(JSON.stringify(gitlab["preview"]), /USER_GROUPS|PASSPHRASE|COMMENT_TOKEN/);
  });
});

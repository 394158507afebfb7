import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { pipeline } from "./pipeline";
import { stepsOf, workflowIn, type Workflow } from "./workflow";

const folder = resolve(__dirname, "../../examples/pipeline");
const [simple, advanced] = [pipeline("simple"), pipeline("advanced")];

function workflowsOf(files: Record<string, string>): ReadonlyMap<string, Workflow> {
  const names = Object.keys(files).filter((name) => name.startsWith(".github/workflows/"));
  return new Map(names.map((name) => [name.replace(/^.*\//, ""), workflowIn(files[name])]));
}

const variants = { simple: workflowsOf(simple), advanced: workflowsOf(advanced) };
const backend = ["PULUMI_ACCESS_TOKEN", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"];

describe("examples/pipeline: the simple workflows", () => {
  const workflow = (name: string) => variants.simple.get(name) ?? assert.fail(name);
  const pulumiSteps = (name: string) =>
    stepsOf(workflow(name)).filter(({ uses }) => uses?.startsWith("pulumi/actions@"));

  it("have about 20 lines each", () => {
    for (const [name, text] of Object.entries(simple))
      if (name.startsWith(".github/")) assert(text.split("\n").length <= 25, name);
  });

  it("preview without the API token, and comment on the pull request", () => {
    const [step, ...others] = pulumiSteps("preview.yml");
    assert.deepEqual(others, []);
    assert.deepEqual(step?.with, { command: "preview", "stack-name": "production", "comment-on-pr": true });
    assert.deepEqual(Object.keys(step.env), backend);
    assert.equal(workflow("preview.yml").permissions["pull-requests"], "write");
    assert.doesNotMatch(simple[".github/workflows/preview.yml"] ?? "", /API_TOKEN/);
  });

  it("deploy the main branch", () => {
    assert.deepEqual(workflow("up.yml").on, { push: { branches: ["main"] }, workflow_dispatch: null });
    assert.deepEqual(
      pulumiSteps("up.yml").map((step) => step.with),
      [{ command: "up", "stack-name": "production" }],
    );
  });

  it("look for drift each night, by the script", () => {
    assert.deepEqual(workflow("drift.yml").on, {
      schedule: [{ cron: "17 3 * * *" }],
      workflow_dispatch: null,
    });
    assert.deepEqual(
      stepsOf(workflow("drift.yml")).map(({ run }) => run ?? ""),
      ["", "", "npm ci", "", "ci/drift.sh"],
    );
  });
});

for (const [variant, workflows] of Object.entries(variants))
  describe(`examples/pipeline: the ${variant} workflows, with the API token`, () => {
    for (const name of ["up.yml", "drift.yml"]) {
      const workflow = () => workflows.get(name) ?? assert.fail();

      it(`${name} gives it to nothing but the step that needs it, from the environment`, () => {
        const { jobs } = workflow();
        assert.deepEqual(
          Object.values(jobs).map(({ environment }) => environment),
          ["production"],
        );
        for (const { env } of Object.values(jobs)) assert(!("USER_GROUPS_API_TOKEN" in env));
        const given = stepsOf(workflow()).filter(({ env }) => "USER_GROUPS_API_TOKEN" in env);
        assert.deepEqual(
          given.map((step) => step.run ?? step.with["command"]),
          [name === "up.yml" ? "up" : "ci/drift.sh"],
        );
      });

      it(`${name} has all settings of either backend`, () => {
        const { jobs } = workflow();
        const given = Object.values(jobs).flatMap(({ env, steps }) =>
          steps
            .filter((step) => "USER_GROUPS_API_TOKEN" in step.env)
            .map((step) => ({ ...env, ...step.env })),
        );
        const settings = [...backend, "USER_GROUPS_BASE_URL", "USER_GROUPS_API_TOKEN"];
        assert.deepEqual(
          given.map((env) => Object.keys(env)),
          [settings],
        );
      });

      it(`${name} is one of the runs of which there is one at a time`, () => {
        assert.equal(workflow()["concurrency"], "production");
      });
    }

    it("never run on pull_request_target, whose token could write", () => {
      for (const [name, { on }] of workflows) assert(!JSON.stringify(on).includes("target"), name);
    });
  });

describe("examples/pipeline: the advanced workflows", () => {
  const workflows = variants.advanced;

  it("run a pull request's code without any secret, and with a token that can only read", () => {
    const preview = workflows.get("preview.yml") ?? assert.fail();
    assert.deepEqual([preview.on, preview.permissions], ["pull_request", { contents: "read" }]);
    const text = advanced[".github/workflows/preview.yml"] ?? "";
    assert.doesNotMatch(text, /secrets\.|vars\.|environment:|github\.token/);
    assert.match(text, /persist-credentials: false/);
  });

  it("comment with a token that may write, and with the default branch's files only", () => {
    const { on, permissions, jobs } = workflows.get("comment.yml") ?? assert.fail();
    assert.deepEqual(on, { workflow_run: { workflows: ["Preview"], types: ["completed"] } });
    assert.deepEqual(permissions, { actions: "read", contents: "read", "pull-requests": "write" });
    const [checkout, download, comment, ...others] = Object.values(jobs).flatMap((job) => job.steps);
    assert.deepEqual([checkout?.with, others], [{ "persist-credentials": false }, []]);
    assert.equal(download?.with["path"], "${{ runner.temp }}/preview");
    assert.equal(comment?.run, 'ci/comment-github.sh "$RUNNER_TEMP/preview/preview.txt"');
  });

  it("take all that the comment is about from GitHub's own word", () => {
    const steps = stepsOf(workflows.get("comment.yml") ?? assert.fail());
    const { GH_TOKEN, ...given } = steps.at(-1)?.env ?? {};
    const run = (path: string) => `\${{ github.event.workflow_run.${path} }}`;
    assert.equal(GH_TOKEN, "${{ github.token }}");
    assert.deepEqual(given, {
      HEAD_OWNER: run("head_repository.owner.login"),
      HEAD_BRANCH: run("head_branch"),
      HEAD_SHA: run("head_sha"),
      CONCLUSION: run("conclusion"),
    });
  });

  it("put nothing that a pull request names into a shell's text", () => {
    for (const [name, workflow] of workflows)
      for (const { run = "" } of stepsOf(workflow)) assert.doesNotMatch(run, /\$\{\{/, name);
  });
});

describe("examples/pipeline: the pipeline for GitLab", () => {
  const text = advanced[".gitlab-ci.yml"] ?? "";
  const gitlab = z.record(z.string(), z.unknown()).parse(parse(text));

  it("has the same jobs", () => {
    const jobs = Object.keys(gitlab).filter((key) => key !== "default" && key !== "workflow");
    assert.deepEqual(jobs, ["preview", "comment", "up", "drift"]);
  });

  it("runs a merge request's code without any secret", () => {
    assert.match(JSON.stringify(gitlab["preview"]), /merge_request_event/);
    assert.doesNotMatch(JSON.stringify(gitlab["preview"]), /USER_GROUPS|PULUMI|COMMENT_TOKEN|"environment/);
  });

  it("comments by schedule, with what the script needs", () => {
    const job = z.looseObject({
      rules: z.array(z.unknown()),
      variables: z.unknown(),
      before_script: z.unknown(),
      script: z.unknown(),
    });
    const { rules, variables, before_script: before, script } = job.parse(gitlab["comment"]);
    assert.deepEqual(rules, [{ if: '$CI_PIPELINE_SOURCE == "schedule" && $TASK == "comment"' }]);
    assert.deepEqual(variables, { GITLAB_HOST: "$CI_SERVER_URL", GITLAB_TOKEN: "$GITLAB_COMMENT_TOKEN" });
    assert.deepEqual([before, script], [["apk add --no-cache bash glab jq"], ["ci/comment-gitlab.sh"]]);
  });
});

describe("examples/pipeline: the scripts that the workflows call", () => {
  it("are there and can be run", () => {
    const called = Object.entries(advanced)
      .filter(([name]) => name.endsWith(".yml"))
      .flatMap(([, text]) => text.match(/ci\/[\w-]+\.(sh|mjs)/g) ?? []);
    assert.deepEqual(
      [...new Set(called)].sort(),
      ["base-state", "comment-github", "comment-gitlab", "drift", "preview"].map((name) => `ci/${name}.sh`),
    );
    for (const script of called) {
      const path = [script, `advanced/${script}`].map((name) => join(folder, name)).find(fs.existsSync);
      assert.equal(fs.statSync(path ?? assert.fail(script)).mode & 0o111, 0o111, script);
    }
  });
});

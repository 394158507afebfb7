import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { fails, requestsTo, succeeds, tokensOf } from "../engine/harness";
import { newProject, type Project } from "../engine/harness/project";
import { run, type Ended, type Environment } from "../harness/run";
import { example } from "./example";
import { runnerEnvironment, runWorkflow, stepsOf, workflowIn } from "./workflows";

const all = example("pipeline");
const simplePreview = all[".github/workflows/preview.yml"];
/** The variant for forks as its README says to copy it. */
const files: Record<string, string> = Object.fromEntries(
  ["", "forks/"].flatMap((folder) =>
    Object.entries(all).flatMap(([name, text]) =>
      name.startsWith("forks/") === (folder !== "") ? [[name.slice(folder.length), text]] : [],
    ),
  ),
);
const workflow = (name: string) => workflowIn(files[`.github/workflows/${name}`]);

describe("examples/pipeline: the workflows", () => {
  it("give the API token to one step in an environment, run one after the other, and drop none that waits", () => {
    for (const [name, step] of [
      ["up.yml", "up"],
      ["drift.yml", "ci/drift.sh"],
    ] as const) {
      const { jobs } = workflow(name);
      assert.deepEqual(
        Object.values(jobs).map(({ environment, env }) => [environment, env]),
        [["production", {}]],
      );
      const given = stepsOf(workflow(name)).filter(({ env }) => "USER_GROUPS_API_TOKEN" in env);
      assert.deepEqual(
        given.map((each) => each.run ?? each.with["command"]),
        [step],
      );
      assert.deepEqual(workflow(name)["concurrency"], { group: "production", queue: "max" });
    }
  });

  it("preview without the API token, and run a fork's code without any secret", () => {
    assert.doesNotMatch(simplePreview ?? "", /API_TOKEN/);
    const { on, permissions, jobs } = workflow("preview.yml");
    assert.deepEqual(permissions, { contents: "read" });
    assert.deepEqual(on, {
      pull_request: null,
      workflow_run: { workflows: ["Up", "Drift"], types: ["completed"] },
    });
    assert.equal(jobs["preview"]?.["if"], "github.event_name == 'pull_request'");
    assert.doesNotMatch(JSON.stringify(jobs["preview"]), /secrets\.|vars\.|environment"|github\.token/);
    assert.doesNotMatch(JSON.stringify(jobs["base-state"]), /USER_GROUPS/);
  });
});

describe("examples/pipeline on the real engine", () => {
  let project: Project;
  let emulator: Emulator;
  let summary: string;
  before(async () => {
    emulator = await startEmulator();
    project = await newProject(files);
    summary = join(project.folder, "../summary.md");
    for (const script of ["preview", "drift"]) await fs.chmod(join(project.folder, `ci/${script}.sh`), 0o755);
    succeeds(await pulumi("stack init --no-select production"));
    await fs.appendFile(join(project.folder, "Pulumi.production.yaml"), settings);
  });
  after(async () => {
    await project.remove();
    await emulator.stop();
  });

  it("previews for forks before there is any state, and deploys with up.yml", async () => {
    const { output } = succeeds(await preview());
    assert.match(output, /^There is no state to compare with yet[^]*\+ 3 to create/);
    succeeds(await runs("up.yml"));
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);
  });

  it("leaves nothing of a secret in the base state, also of a group whose ID is secret", async () => {
    emulator.putGroup({ userGroupId: "hidden-many", name: "Many" });
    await project.write({
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
        import { UserGroup, UserGroups } from "pulumi-user-groups";
        new UserGroup("one", { userGroupId: pulumi.secret("hidden-one"), name: "One" });
        new UserGroups("many", { groups: pulumi.secret({ "hidden-many": { name: "Many" } }) });`,
    });
    succeeds(await runs("up.yml"));
    assert.doesNotMatch(await baseState(), /hidden|ciphertext|secrets_providers|salt/);
    succeeds(await preview());
    await project.write(files);
    succeeds(await runs("up.yml"));
  });

  it("previews a pull request with preview.yml, and a fork's without a secret, by what it changes", async () => {
    assert.match(await baseState(), /^\{"version":.*"userGroupId":"acme"/);
    emulator.clearRequests();
    await project.write({ "index.ts": files["index.ts"]?.replace("Globex", "Globex International") ?? "" });
    await fs.rm(summary);
    const forked = succeeds(await preview());
    await project.write({ ".github/workflows/preview.yml": simplePreview ?? "" });
    const simple = succeeds(await runs("preview.yml", workflowIn(simplePreview)));
    await project.write(files);
    for (const { output } of [simple, forked]) {
      assert.match(output, /globex replace \[diff: ~name\]/);
      assert.match(output, /gets a new token/);
    }
    assert.match(await fs.readFile(summary, "utf8"), /<pre>\n[^]*globex replace[^]*\n<\/pre>\n$/);
    assert.deepEqual(requestsTo(emulator), []);
    const kept = await fs.readFile(join(project.folder, "Pulumi.production.yaml"), "utf8");
    assert(kept.startsWith("encryptionsalt:") && kept.endsWith(settings));
  });

  it("keeps head, tail, deletions, replacements and warnings of a long preview in the summary", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => ` +  type:UserGroup customer-${n} create`);
    const important = [
      " -  type:UserGroup gone delete",
      " +- type:UserGroup other replace [diff: ~name]",
      '    warning: user groups in this change: 1 to delete ("x").',
    ];
    for (const [index, line] of important.entries()) lines[10_000 * index + 5_000] = line;
    const bin = join(project.folder, "../bin");
    await fs.mkdir(bin);
    await fs.writeFile(join(project.folder, "../long.txt"), `${lines.join("\n")}\nResources: the end\n`);
    const stub = `#!/bin/sh\n[ "$1" != preview ] || cat "${project.folder}/../long.txt"\n`;
    await fs.writeFile(join(bin, "pulumi"), stub, { mode: 0o755 });
    await fs.rm(summary, { force: true });
    const { stdout } = succeeds(await preview({ PATH: [bin, process.env["PATH"]].join(delimiter) }));
    assert.equal(stdout.split("\n").length, lines.length + 2);
    const shown = await fs.readFile(summary, "utf8");
    assert(shown.length < 1024 ** 2 / 2);
    for (const line of [...important, lines[0], lines.at(-1), "Resources: the end"])
      assert(shown.includes(line ?? ""));
  });

  it("reports a group that was gone until its new token is handed on, also if a former run was killed", async () => {
    succeeds(await runs("drift.yml"));
    emulator.removeGroup("acme");
    // The engine takes a new token for no change. What was killed had come as far as this.
    succeeds(await pulumi("refresh --yes --skip-preview --expect-no-changes --stack production"));
    const { output } = fails(await runs("drift.yml"), /A token of urn:.*::acme has not been handed on/);
    for (const token of Object.values(tokensOf(emulator))) assert(!output.includes(token));
    succeeds(await runs("up.yml"));
    succeeds(await runs("drift.yml"));
    const { stdout } = await pulumi("stack output tokens --json --show-secrets --stack production");
    assert.deepEqual(JSON.parse(stdout), tokensOf(emulator));
  });

  it("doesn't preview a fork with settings that need a key", async () => {
    for (const secret of ["  app:a:\n    secure: v1:AAAA", '  app:a: [{ "secure": v1:AAAA }]']) {
      await project.write({ "Pulumi.sealed.yaml": `config:\n${secret}\n` });
      fails(await preview({ STACK: "sealed" }), /Pulumi\.sealed\.yaml holds secrets/);
    }
  });

  const values = (): Record<string, string> => ({
    "vars.PULUMI_BACKEND_URL": project.env.PULUMI_BACKEND_URL,
    "secrets.PULUMI_CONFIG_PASSPHRASE": "of production",
    "vars.USER_GROUPS_BASE_URL": emulator.baseUrl,
    "secrets.USER_GROUPS_API_TOKEN": emulator.apiToken,
  });

  function runs(name: string, workflows = workflow(name)): Promise<Ended> {
    const env = runnerEnvironment(project);
    return runWorkflow(workflows, { folder: project.folder, env, values: values() });
  }

  /** What the job base-state of preview.yml writes. */
  async function baseState(): Promise<string> {
    const { jobs, ...others } = workflow("preview.yml");
    const { "base-state": job = assert.fail() } = jobs;
    succeeds(await runs("preview.yml", { ...others, jobs: { job } }));
    return fs.readFile(join(project.folder, "base-state.json"), "utf8");
  }

  /** What the job preview of preview.yml runs. */
  function preview(env: Environment = {}): Promise<Ended> {
    const all = { ...runnerEnvironment(project), GITHUB_STEP_SUMMARY: summary, ...env };
    return run("ci/preview.sh", ["base-state.json"], { cwd: project.folder, env: all });
  }

  function pulumi(command: string): Promise<Ended> {
    const settings = Object.entries(values()).map(([name, value]): [string, string] => [
      name.replace(/^.*\./, ""),
      value,
    ]);
    const env: Environment = { ...runnerEnvironment(project), ...Object.fromEntries(settings) };
    return run("pulumi", command.split(" "), { cwd: project.folder, env });
  }
});

/** Of the stack, beside the salt that Pulumi writes there. */
const settings = "config:\n  user-groups:timeout: '30'\n";

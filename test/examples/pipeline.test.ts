import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { fails, requestsTo, succeeds, tokensOf } from "../engine/harness";
import { newProject, type Project } from "../engine/harness/project";
import { inherited, run, type Ended, type Environment } from "../harness/run";
import { example, pathWithTools } from "./example";

const all = example("pipeline");
/** The variant for forks as its README says to copy it. */
const files: Record<string, string> = {
  ...all,
  ...Object.fromEntries(Object.entries(all).map(([name, text]) => [name.replace(/^forks\//, ""), text])),
};

const workflow = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      environment: z.string().optional(),
      env: z.record(z.string(), z.string()).default({}),
      steps: z.array(
        z.looseObject({
          run: z.string().optional(),
          with: z.looseObject({ command: z.string().optional() }).default({}),
          env: z.record(z.string(), z.string()).default({}),
        }),
      ),
    }),
  ),
});
const workflowIn = (text = "") => workflow.parse(parse(text));
const workflowOf = (name: string) => workflowIn(files[`.github/workflows/${name}`]);

/** The commands of the workflows. */
const exportBase = "pulumi stack export --stack production | node ci/base-state.mjs > base-state.json";
const previewFork = "ci/preview.sh base-state.json";
const checkDrift = "ci/drift.sh";
const deliver = "ci/deliver.sh";
const up = "pulumi up --yes --skip-preview --stack production";

describe("examples/pipeline: the workflows", () => {
  it("give the API token to one step in an environment, run one after the other, and drop none that waits", () => {
    for (const [name, command] of [
      ["up.yml", "up"],
      ["drift.yml", checkDrift],
    ] as const) {
      const { jobs, ...others } = workflowOf(name);
      const [job = assert.fail(), ...more] = Object.values(jobs);
      assert.deepEqual([job.environment, more], ["production", []]);
      const given = job.steps.filter(({ env }) => "USER_GROUPS_API_TOKEN" in env);
      assert.deepEqual(
        given.map((step) => step.run ?? step.with.command),
        [command],
      );
      assert.deepEqual(others["concurrency"], { group: "production", queue: "max" });
    }
  });

  it("preview without the API token, and run a fork's code without any secret", () => {
    assert.doesNotMatch(all[".github/workflows/preview.yml"] ?? "", /API_TOKEN/);
    const { jobs, permissions } = workflowOf("preview.yml");
    const { preview = assert.fail(), "base-state": base = assert.fail() } = jobs;
    assert.deepEqual(permissions, { contents: "read" });
    assert.equal(preview["if"], "github.event_name == 'pull_request'");
    assert.doesNotMatch(JSON.stringify(preview), /secrets\.|vars\.|environment"|github\.token/);
    assert.doesNotMatch(JSON.stringify(base), /USER_GROUPS/);
    assert.equal(preview.steps.at(-1)?.run, previewFork);
    assert(base.steps.some((step) => step.run === exportBase));
  });
});

describe("examples/shards: the workflow", () => {
  it("takes the settings of the backend and of the service from where examples/pipeline takes them", () => {
    const settings = (text = "") => new Set(text.match(/\$\{\{ (secrets|vars)\.\w+ \}\}/g));
    const shards = example("shards");
    assert.deepEqual(
      settings(shards[".github/workflows/deploy.yml"]),
      settings(all[".github/workflows/drift.yml"]),
    );
    const { jobs } = workflowIn(shards[".github/workflows/deploy.yml"]);
    const { run: command, env: values } = jobs["refresh"]?.steps.at(-1) ?? assert.fail();
    assert.equal(command, 'npm run "$COMMAND" -- "$SHARD"');
    assert.equal(values["COMMAND"], "${{ inputs.refresh && 'refresh' || 'deploy' }}");
    assert.equal(values["SHARD"], "${{ inputs.refresh || matrix.shard }}");
    for (const { environment, env } of Object.values(jobs)) {
      assert.equal(environment, "production");
      assert.deepEqual([...settings(JSON.stringify(env))].length, 3);
    }
  });
});

describe("examples/pipeline on the real engine", () => {
  let project: Project;
  let emulator: Emulator;
  before(async () => {
    emulator = await startEmulator();
    project = await newProject(files);
    for (const script of ["preview", "drift", "deliver"])
      await fs.chmod(join(project.folder, `ci/${script}.sh`), 0o755);
    succeeds(await deployment("pulumi stack init --no-select production"));
    await fs.appendFile(join(project.folder, "Pulumi.production.yaml"), settings);
  });
  after(async () => {
    await project.remove();
    await emulator.stop();
  });

  it("leaves nothing of a secret in the base state, also of a group whose ID is secret", async () => {
    emulator.putGroup({ userGroupId: "hidden-many", name: "Many" });
    await project.write({
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
        import { UserGroup, UserGroups } from "pulumi-user-groups";
        new UserGroup("one", { userGroupId: pulumi.secret("hidden-one"), name: "One" });
        new UserGroups("many", { groups: pulumi.secret({ "hidden-many": { name: "Many" } }) });`,
    });
    succeeds(await deployment(up));
    assert.doesNotMatch(await baseState(), /hidden|ciphertext|secrets_providers|salt/);
    succeeds(await preview());
    await fs.rm(join(project.folder, "base-state.json"));
    await project.write(files);
  });

  it("previews a fork without a secret, before there is any state and then by what it changes", async () => {
    await fs.writeFile(join(project.folder, "base-state.json"), "");
    const { output } = succeeds(await preview());
    assert.match(output, /^There is no state to compare with yet[^]*\+ 3 to create/);
    succeeds(await deployment(up));
    assert.deepEqual(names(), ["Acme Corporation", "Globex"]);
    assert.match(await baseState(), /^\{"version":.*"userGroupId":"acme"/);
    emulator.clearRequests();
    await project.write(renamed("Globex International"));
    const forked = succeeds(await preview());
    await project.write(files);
    assert.match(forked.output, /globex update \[diff: ~name\]/);
    assert.match(forked.output, /gets a new token/);
    assert.match(await summary(), /<pre>\n[^]*globex update[^]*\n<\/pre>\n$/);
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
    await fs.writeFile(join(project.folder, "../long.txt"), `${lines.join("\n")}\nResources: the end\n`);
    const stub = `#!/bin/sh\n[ "$1" != preview ] || cat "${project.folder}/../long.txt"\n`;
    const { stdout } = succeeds(await preview({ PATH: await stubbed("pulumi", stub) }));
    assert.equal(stdout.split("\n").length, lines.length + 2);
    const shown = await summary();
    assert(shown.length < 1024 ** 2 / 2);
    for (const line of [...important, lines[0], lines.at(-1), "Resources: the end"])
      assert(shown.includes(line ?? ""));
  });

  it("previews a fork, and reports no drift, while a former group waits, within its time and after it", async () => {
    for (const hours of ["24", "0"]) {
      await project.write(
        renamed(`Globex for ${hours} hours`, { "overlapHours: 24": `overlapHours: ${hours}` }),
      );
      succeeds(await deployment(up));
      assert.equal(emulator.groups.size, 3);
      const { output } = succeeds(await deployment(checkDrift));
      assert.equal(/^Waiting for the next up: .*"globex"/m.test(output), hours === "0");
      assert.doesNotMatch(await baseState(), /"former":/);
      const forked = succeeds(await preview());
      assert.match(forked.output, /3 unchanged/);
    }
    emulator.removeGroup(idOf("Acme Corporation"));
    fails(
      await deployment(checkDrift),
      /^Waiting for the next up: /m,
      /::acme has a token that wasn't delivered/,
    );
    await project.write(files);
    succeeds(await deployment(up));
  });

  it("delivers the tokens of the state in a file for its user only, also after an up that failed in part", async () => {
    const secret = join(project.folder, "../secret.json");
    const stub = `#!/bin/sh\n[ "$(stat -c %a "\${6#file://}")" = 600 ] && cp "\${6#file://}" "${secret}"\n`;
    const PATH = await stubbed("aws", stub);
    const former = [...emulator.groups.values()].map(({ token }) => token);
    await project.write(renamed("Globex International", { "Acme Corporation": "Acme" }));
    emulator.fault({ kind: "refuse", method: "GET" });
    fails(await deployment(up), /service-refused/);
    const { output } = succeeds(await deployment(deliver, { PATH }));
    const delivered = z.record(z.string(), z.string()).parse(JSON.parse(await fs.readFile(secret, "utf8")));
    assert.deepEqual(Object.keys(delivered), ["acme", "globex"]);
    assert.equal(Object.values(delivered).filter((token) => former.includes(token)).length, 1);
    for (const token of Object.values(tokensOf(emulator))) assert(!output.includes(token));
    await project.write(files);
    succeeds(await deployment(up));
  });

  it("reports a group that was gone until its new token is handed on, also if a former run was killed", async () => {
    succeeds(await deployment(checkDrift));
    emulator.removeGroup(idOf("Acme Corporation"));
    // The engine takes a new token for no change. What was killed had come as far as this.
    succeeds(await deployment("pulumi refresh --yes --skip-preview --expect-no-changes --stack production"));
    const { output } = fails(await deployment(checkDrift), /urn:.*::acme has a token that wasn't delivered/);
    for (const token of Object.values(tokensOf(emulator))) assert(!output.includes(token));
    succeeds(await deployment(up));
    succeeds(await deployment(checkDrift));
  });

  it("doesn't preview a fork with settings that need a key", async () => {
    for (const secret of ["  app:a:\n    secure: v1:AAAA", '  app:a: [{ "secure": v1:AAAA }]']) {
      await project.write({ "Pulumi.sealed.yaml": `config:\n${secret}\n` });
      fails(await preview({ STACK: "sealed" }), /Pulumi\.sealed\.yaml holds secrets/);
    }
  });

  function shell(command: string, env: Environment): Promise<Ended> {
    const common = { ...inherited(), PATH: pathWithTools(), PULUMI_HOME: project.home };
    const all = { ...common, PULUMI_SKIP_UPDATE_CHECK: "true", ...env };
    return run("bash", ["-eo", "pipefail", "-c", command], { cwd: project.folder, env: all });
  }

  /** With all secrets. */
  function deployment(command: string, env: Environment = {}): Promise<Ended> {
    return shell(command, {
      ...env,
      PULUMI_BACKEND_URL: project.env.PULUMI_BACKEND_URL,
      PULUMI_CONFIG_PASSPHRASE: "of production",
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
    });
  }

  /** A PATH with a command of its own. */
  async function stubbed(command: string, script: string): Promise<string> {
    const bin = await fs.mkdtemp(join(project.folder, "../bin-"));
    await fs.writeFile(join(bin, command), script, { mode: 0o755 });
    return [bin, pathWithTools()].join(delimiter);
  }

  /** The program with another name for Globex. */
  function renamed(name: string, changes: Readonly<Record<string, string>> = {}) {
    const all = Object.entries({ Globex: name, ...changes });
    const text = all.reduce((former, [from, to]) => former.replace(from, to), files["index.ts"] ?? "");
    return { "index.ts": text };
  }

  const names = () => [...emulator.groups.values()].map(({ name }) => name).sort();

  /** The ID in the service. */
  function idOf(groupName: string): string {
    const [found] = [...emulator.groups.values()].filter(({ name }) => name === groupName);
    return found?.userGroupId ?? assert.fail(`No group has the name ${groupName}`);
  }

  const summaryFile = () => join(project.folder, "../summary.md");

  function preview(env: Environment = {}): Promise<Ended> {
    return shell(previewFork, { GITHUB_STEP_SUMMARY: summaryFile(), ...env });
  }

  /** Of the previews since the last call. */
  async function summary(): Promise<string> {
    const text = await fs.readFile(summaryFile(), "utf8");
    await fs.rm(summaryFile());
    return text;
  }

  async function baseState(): Promise<string> {
    succeeds(await deployment(exportBase));
    return fs.readFile(join(project.folder, "base-state.json"), "utf8");
  }
});

/** Of the stack, beside the salt that Pulumi writes there. */
const settings = "config:\n  user-groups:timeout: '30'\n";

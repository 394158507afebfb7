/** examples/pipeline: what its workflows may do, and their commands on the real engine, also with a former group in the state. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { fails, newFixture, requestsTo, succeeds, tokensOf } from "../support/engine";
import { run, withFolder, writeProgram, type Ended, type Environment } from "../support/harness/run";
import { example, forkPipeline } from "./example";

const all = example("pipeline");
const files = forkPipeline();

const step = z.looseObject({
  id: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});
const job = z.looseObject({
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({ jobs: z.record(z.string(), job) });
const workflowIn = (text: string | undefined) => workflow.parse(parse(text ?? ""));
const workflowOf = (name: string) => workflowIn(files[`.github/workflows/${name}`]);

/** The commands of the workflows. */
const exportBase = "pulumi stack export --stack production | node ci/base-state.mjs > base-state.json";
const previewFork = "ci/preview.sh base-state.json";
const review = "ci/review.sh production";
const checkDrift = "ci/drift.sh";
const up = "pulumi up --yes --stack production";
const upAtOnce = `${up} --skip-preview`;
const deliver = "ci/deliver.sh";

describe("examples/pipeline: the workflows", () => {
  it("give the API token to one step in an environment, run one after the other, and drop none that waits", () => {
    for (const [name, command] of [
      ["up.yml", up],
      ["drift.yml", checkDrift],
    ] as const) {
      const { jobs, concurrency } = workflowOf(name);
      const [job = assert.fail(), ...more] = Object.values(jobs);
      assert.deepEqual([job.environment, more], ["production", []]);
      const given = job.steps.filter(({ env }) => "USER_GROUPS_API_TOKEN" in env);
      assert.equal(given.map(({ run }) => run).join(), command);
      assert.deepEqual(concurrency, { group: "production", queue: "max" });
    }
  });

  it("deliver before each up, which a delivery that fails stops, and after it", () => {
    const { steps = [] } = workflowOf("up.yml").jobs["up"] ?? {};
    const commands = steps.filter(({ run }) => run === deliver || run === up);
    assert.equal(commands.map(({ run }) => run).join(), [deliver, up, deliver].join());
    const conditions = commands.map((step) => step["if"]);
    assert.deepEqual(conditions, [
      undefined,
      undefined,
      "${{ !cancelled() && steps.up.outcome != 'skipped' }}",
    ]);
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
    assert.equal(workflowIn(all[".github/workflows/preview.yml"]).jobs["preview"]?.steps.at(-1)?.run, review);
    assert(base.steps.some((step) => step.run === exportBase));
  });
});

describe("the comment of a pull request", () => {
  const workflows = {
    "examples/pipeline": workflowIn(all[".github/workflows/preview.yml"]),
    "its variant for forks": workflowOf("preview.yml"),
    "examples/database": workflowIn(example("database")[".github/workflows/customers.yml"]),
  };

  for (const [where, { jobs, permissions }] of Object.entries(workflows)) {
    const { comment = assert.fail(), ...others } = jobs;

    it(`of ${where} is written by the only job that may, which runs nothing of the pull request and no fork's`, () => {
      assert.deepEqual(permissions, { contents: "read" });
      assert.deepEqual(comment.permissions, { "pull-requests": "write" });
      for (const other of Object.values(others)) assert.equal(other.permissions, undefined);
      assert.deepEqual([comment.steps.length, comment.steps[0]?.["uses"]], [1, undefined]);
      assert.doesNotMatch(JSON.stringify(comment), /secrets\.|vars\./);
      assert.match(String(comment["if"]), /head\.repo\.full_name == github\.repository$/);
      assert.equal(comment["needs"], "preview");
      assert.deepEqual(others["preview"]?.["outputs"], { review: "${{ steps.review.outputs.review }}" });
      assert(others["preview"].steps.some(({ id }) => id === "review"));
    });

    for (const [state, id, method, path] of [
      ["new", "", "POST", "issues/7/comments"],
      ["updated in place", "42\n43", "PATCH", "issues/comments/42"],
    ] as const)
      it(`of ${where} is ${state}`, () =>
        withFolder(async (folder) => {
          const log = join(folder, "log");
          await fs.writeFile(log, "");
          await writeProgram(
            folder,
            "gh",
            `const args = process.argv.slice(2);
            if (args.includes("--paginate")) console.log(${JSON.stringify(id)});
            else require("node:fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify(args) + "\\n");`,
          );
          const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
          const env = { PATH, GITHUB_REPOSITORY: "o/r", NUMBER: "7", REVIEW: 'a $(id) "b"\n`c`' };
          succeeds(await run("bash", ["-e", "-c", comment.steps[0]?.run ?? ""], { env }));
          const sent = ["api", "--silent", "--method", method, `repos/o/r/${path}`];
          const expected = [...sent, "--raw-field", `body=${env.REVIEW}`];
          assert.equal(await fs.readFile(log, "utf8"), `${JSON.stringify(expected)}\n`);
        }));
  }
});

describe("examples/pipeline on the real engine", () => {
  const fixture = newFixture(() => ({ program: files }));
  const path = (name: string) => join(fixture.stack.folder, name);
  const summaryFile = () => path("../summary.md");
  const outputFile = () => path("../output.txt");
  /** With all secrets. */
  const deployment = (command: string, env: Environment = {}) => fixture.stack.shell(command, { env });
  const deploy = async (changes: Readonly<Record<string, string>> = {}) => {
    await declare(changes);
    succeeds(await deployment(upAtOnce));
  };
  before("the stack production", async () => {
    succeeds(await deployment("chmod +x ci/*.sh && pulumi stack select --create production"));
    assert.match(succeeds(await deployment(deliver)).output, /no user groups yet, so there is nothing to/);
    await fs.appendFile(path("Pulumi.production.yaml"), settings);
  });

  it("leaves nothing of a secret in the base state, also of a group whose ID is secret", async () => {
    fixture.emulator.putGroup({ userGroupId: "hidden-many", name: "Many" });
    await fixture.stack.program({
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
        import { UserGroup, UserGroups } from "pulumi-user-groups";
        new UserGroup("one", { userGroupId: pulumi.secret("hidden-one"), name: "One" });
        new UserGroups("many", { groups: pulumi.secret({ "hidden-many": { name: "Many" } }) });`,
    });
    succeeds(await deployment(upAtOnce));
    assert.doesNotMatch(await baseState(), /hidden|ciphertext|secrets_providers|salt/);
    succeeds(await preview());
  });

  it("previews a fork without a secret, before there is any state and then by what it changes", async () => {
    const { emulator } = fixture;
    await declare();
    await fs.writeFile(path("base-state.json"), "");
    const { output } = succeeds(await preview());
    assert.match(output, /^There is no state to compare with yet[^]*\+ 3 to create/);
    await deploy();
    await baseState();
    emulator.clearRequests();
    await declare({ Globex: "Globex International" });
    const forked = succeeds(await preview());
    assert.match(forked.output, /globex update \[diff: ~name\]/);
    assert.match(forked.output, /gets a new token/);
    const summary = await fs.readFile(summaryFile(), "utf8");
    assert.match(summary, /<pre>\n[^]*globex update[^]*\n<\/pre>\n/);
    const reviewed =
      /1 customer gets a new token: [^]* `globex` \(`Globex` → `Globex International`\)[^]* own code/;
    assert.match(summary, reviewed);
    assert.match(await fs.readFile(outputFile(), "utf8"), reviewed);
    assert.deepEqual(requestsTo(emulator), []);
    const kept = await fs.readFile(path("Pulumi.production.yaml"), "utf8");
    assert(kept.startsWith("encryptionsalt:") && kept.endsWith(settings));
  });

  it("reviews a pull request of a branch, in the summary and as an output", async () => {
    await declare({ Globex: "Globex International" });
    const env = { GITHUB_STEP_SUMMARY: path("../review.md"), GITHUB_OUTPUT: path("../review.txt") };
    const { stdout } = succeeds(await deployment(review, env));
    assert.match(
      stdout,
      /^<!-- pulumi-user-groups review -->\n[^]*1 customer gets a new token: [^]* `globex` /,
    );
    assert.equal(await fs.readFile(path("../review.md"), "utf8"), stdout);
    const output = await fs.readFile(path("../review.txt"), "utf8");
    const [, end = ""] = /^review<<([-0-9a-f]{36})\n/.exec(output) ?? [];
    assert.equal(output, `review<<${end}\n${stdout}${end}\n`);
  });

  it("previews a fork, and reports no drift, while a former group waits, within its time and after it", async () => {
    for (const hours of ["24", "0"]) {
      await deploy({ Globex: `Globex for ${hours} hours`, "overlapHours: 24": `overlapHours: ${hours}` });
      assert.equal(fixture.emulator.groups.size, 3);
      const { output } = succeeds(await deployment(checkDrift));
      assert.equal(/^Waiting for the next up: .*"globex"/m.test(output), hours === "0");
      assert.doesNotMatch(await baseState(), /"former":/);
      assert.match(succeeds(await preview()).output, /3 unchanged/);
    }
    const acme = [...fixture.emulator.groups.values()].find(({ name }) => name === "Acme Corporation");
    assert(fixture.emulator.removeGroup(acme?.userGroupId ?? ""));
    const other = /^Waiting for the next up: [^]*found other tokens than the state had/m;
    fails(await deployment(checkDrift), other);
    await deploy();
    succeeds(await deployment(checkDrift));
  });

  it("delivers the tokens of the state in a file for its user only, also after an up that failed in part", async () => {
    const { emulator } = fixture;
    const secret = path("../secret.json");
    const delivering = `[ "$(stat -c %a "\${6#file://}")" = 600 ] && cp "\${6#file://}" "${secret}"`;
    const former = Object.values(tokensOf(emulator));
    await declare({ Globex: "Globex International", "Acme Corporation": "Acme" });
    emulator.fault({ kind: "refuse", method: "GET" });
    fails(await deployment(upAtOnce), /service-refused/);
    succeeds(await deployment(deliver, { PATH: await stubbed("aws", delivering) }));
    const delivered = z.record(z.string(), z.string()).parse(JSON.parse(await fs.readFile(secret, "utf8")));
    assert.deepEqual(Object.keys(delivered).sort(), ["acme", "globex"]);
    assert.equal(Object.values(delivered).filter((token) => former.includes(token)).length, 1);
    await deploy();
  });

  /** The example's program, with texts that replace others. */
  function declare(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const text = Object.entries(changes).reduce(
      (former, [from, to]) => former.replace(from, to),
      files["index.ts"] ?? "",
    );
    return fixture.stack.program({ "index.ts": text });
  }

  /** A PATH with a command of its own. */
  async function stubbed(command: string, script: string): Promise<string> {
    await fixture.stack.program({ [`../bin-${command}/${command}`]: `#!/bin/sh\n${script}\n` });
    await fs.chmod(path(`../bin-${command}/${command}`), 0o755);
    return [path(`../bin-${command}`), path("node_modules/.bin"), process.env["PATH"]].join(delimiter);
  }

  /** Without any secret. */
  function preview(env: Environment = {}): Promise<Ended> {
    const ofJob = {
      PULUMI_BACKEND_URL: undefined,
      PULUMI_CONFIG_PASSPHRASE: undefined,
      USER_GROUPS_BASE_URL: undefined,
      USER_GROUPS_API_TOKEN: undefined,
      GITHUB_STEP_SUMMARY: summaryFile(),
      GITHUB_OUTPUT: outputFile(),
    };
    return fixture.stack.shell(previewFork, { env: { ...ofJob, ...env } });
  }

  async function baseState(): Promise<string> {
    succeeds(await deployment(exportBase));
    return fs.readFile(path("base-state.json"), "utf8");
  }
});

/** Of the stack, beside the salt that Pulumi writes there. */
const settings = "config:\n  user-groups:timeout: '30'\n";

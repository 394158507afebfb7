import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { requestsTo, tokensOf } from "../engine/harness";
import { newProject, type Project } from "../engine/harness/project";
import { portOf } from "../harness/portOf";
import { deployerEnvironment, passphrase, pipeline, runnerEnvironment } from "./pipeline";
import { workflowIn } from "./workflow";
import { command, runWorkflow, succeeds, type Ended } from "./workflowRunner";

const files = pipeline("simple");

describe("examples/pipeline: the simple workflows on the real engine", () => {
  let project: Project;
  let emulator: Emulator;
  before(async () => {
    emulator = await startEmulator();
    project = await newProject(files);
    await fs.chmod(join(project.folder, "ci/drift.sh"), 0o755);
    await succeeds(pulumi("stack init --no-select production"));
  });
  after(async () => {
    await project.remove();
    await emulator.stop();
  });

  it("deploy with up.yml", async () => {
    await succeeds(run("up.yml"));
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);
  });

  it("preview a change with preview.yml, without a request", async () => {
    emulator.clearRequests();
    await project.write({ "index.ts": files["index.ts"]?.replace("Globex", "Globex International") ?? "" });
    const { output } = await succeeds(run("preview.yml"));
    await project.write(files);
    assert.match(output, /globex replace \[diff: ~name\]/);
    assert.match(output, /gets a new token/);
    assert.deepEqual(requestsTo(emulator), []);
  });

  it("find no drift with drift.yml where there is none", async () => {
    await succeeds(run("drift.yml"));
  });

  it("fail with drift.yml if a group was gone, and hand its new token on with up.yml", async () => {
    const { acme } = tokensOf(emulator);
    emulator.removeGroup("acme");
    const { code, output } = await run("drift.yml");
    assert.equal(code, 1, output);
    assert.match(output, /^Tokens of groups have changed/m);
    assert.notEqual(tokensOf(emulator)["acme"], acme);
    await succeeds(run("drift.yml"));

    await succeeds(run("up.yml"));
    const outputs = await succeeds(pulumi("stack output tokens --json --show-secrets --stack production"));
    assert.deepEqual(JSON.parse(outputs.output), tokensOf(emulator));
  });

  it("need the script for drift, because a refresh takes a new token for no change", async () => {
    emulator.removeGroup("acme");
    await succeeds(pulumi("refresh --yes --skip-preview --expect-no-changes --stack production"));
  });

  it("fail if Pulumi can't read the state", async () => {
    const wrong = { ...values(), "secrets.PULUMI_CONFIG_PASSPHRASE": "wrong" };
    for (const name of ["preview.yml", "up.yml", "drift.yml"]) {
      const { code, output } = await run(name, wrong);
      assert.deepEqual([code === 0, output.includes("incorrect passphrase")], [false, true], output);
    }
  });

  it("use Pulumi Cloud with the access token if no backend is set", async () => {
    const cloud = await startCloud();
    // A home without a login, as on a new runner.
    const PULUMI_HOME = join(project.folder, "../cloud");
    await fs.mkdir(PULUMI_HOME);
    await fs.symlink(join(project.home, "versions"), join(PULUMI_HOME, "versions"), "junction");
    try {
      for (const name of ["preview.yml", "up.yml", "drift.yml"]) {
        const given = { "secrets.PULUMI_ACCESS_TOKEN": "of-the-cloud" };
        const { code } = await run(name, given, { PULUMI_HOME, PULUMI_API: cloud.url });
        assert.notEqual(code, 0);
        assert.deepEqual(new Set(cloud.received.splice(0)), new Set(["token of-the-cloud"]), name);
      }
    } finally {
      await cloud.stop();
    }
  });

  const run = (name: string, given = values(), more: Record<string, string> = {}): Promise<Ended> =>
    runWorkflow(workflowIn(files[`.github/workflows/${name}`]), {
      folder: project.folder,
      env: { ...runnerEnvironment(project), ...more },
      values: given,
    });

  const pulumi = (args: string): Promise<Ended> =>
    command("pulumi", args.split(" "), project.folder, deployerEnvironment(project, emulator));

  const values = (): Record<string, string> => ({
    "vars.PULUMI_BACKEND_URL": project.env.PULUMI_BACKEND_URL,
    "secrets.PULUMI_CONFIG_PASSPHRASE": passphrase,
    "vars.USER_GROUPS_BASE_URL": emulator.baseUrl,
    "secrets.USER_GROUPS_API_TOKEN": emulator.apiToken,
  });
});

/** Stands for Pulumi Cloud, and refuses every access token. */
async function startCloud() {
  const received: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers.authorization);
    response.writeHead(401).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

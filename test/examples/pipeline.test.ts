import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { requestsTo, tokensOf } from "../engine/harness";
import { newProject, type Project } from "../engine/harness/project";
import { deployerEnvironment, pipeline, runnerEnvironment } from "./pipeline";
import { command, succeeds, type Ended } from "./workflowRunner";

const files = pipeline("advanced");

describe("examples/pipeline: the scripts", () => {
  let project: Project;
  let emulator: Emulator;
  before(async () => {
    emulator = await startEmulator();
    project = await newProject(files);
    for (const script of ["preview", "base-state", "drift"])
      await fs.chmod(join(project.folder, `ci/${script}.sh`), 0o755);
    await succeeds(run("pulumi", ["stack", "init", "--no-select", "dev"], withSecrets()));
    await fs.appendFile(join(project.folder, "Pulumi.dev.yaml"), settings);
  });
  after(async () => {
    await project.remove();
    await emulator.stop();
  });

  it("previews a new program without any state", async () => {
    const { output } = await succeeds(run("ci/preview.sh", [], withoutSecrets()));
    assert.match(output, /^There is no state to compare with yet/);
    assert.match(output, /\+ 3 to create/);
    assert.deepEqual(requestsTo(emulator), []);
  });

  it("deploys", async () => {
    await deploy();
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);
  });

  describe("after a deployment", () => {
    let base: string;
    before(async () => {
      await succeeds(run("ci/base-state.sh", ["base-state.json"], withSecrets()));
      base = await fs.readFile(join(project.folder, "base-state.json"), "utf8");
      assert.match(base, /^\{"version":/);
    });

    it("leave nothing of a secret in the state that previews get", () => {
      assert.match(base, /"userGroupId":"acme"/);
      assert.doesNotMatch(base, /ciphertext|secrets_providers|salt/);
      for (const token of Object.values(tokensOf(emulator))) assert(!base.includes(token));
    });

    it("leave the former base state if the export fails", async () => {
      const { code } = await run("ci/base-state.sh", ["base-state.json"], {
        ...withSecrets(),
        STACK: "missing",
      });
      assert.notEqual(code, 0);
      assert.equal(await fs.readFile(join(project.folder, "base-state.json"), "utf8"), base);
      assert.deepEqual(
        (await fs.readdir(project.folder)).filter((name) => name.startsWith("base-state.")),
        ["base-state.json"],
      );
    });

    it("preview with an empty base state as without one", async () => {
      await fs.writeFile(join(project.folder, "empty.json"), "");
      const { output } = await succeeds(run("ci/preview.sh", ["empty.json"], withoutSecrets()));
      assert.match(output, /^There is no state to compare with yet/);
    });

    it("hide the ID of a group that the program keeps secret", async () => {
      const secret = `import * as pulumi from "@pulumi/pulumi";
        import { UserGroup, UserGroups } from "pulumi-user-groups";
        new UserGroup("one", { userGroupId: pulumi.secret("hidden-one"), name: "One" });
        new UserGroups("many", { groups: pulumi.secret({ "hidden-many": { name: "Many" } }) });`;
      emulator.putGroup({ userGroupId: "hidden-many", name: "Many" });
      await project.write({ "index.ts": secret });
      await deploy();
      await succeeds(run("ci/base-state.sh", ["secret.json"], withSecrets()));
      assert.doesNotMatch(await fs.readFile(join(project.folder, "secret.json"), "utf8"), /hidden/);
      await succeeds(run("ci/preview.sh", ["secret.json"], withoutSecrets()));
      await project.write(files);
      await deploy();
    });

    it("preview a pull request by what it changes, without a secret and without a request", async () => {
      emulator.clearRequests();
      await project.write({ "index.ts": files["index.ts"]?.replace("Globex", "Globex International") ?? "" });
      const { output } = await succeeds(run("ci/preview.sh", ["base-state.json"], withoutSecrets()));
      await project.write(files);
      assert.match(output, /globex replace \[diff: ~name\]/);
      assert.deepEqual(requestsTo(emulator), []);
    });

    it("leave the stack's settings as they are", async () => {
      const kept = await fs.readFile(join(project.folder, "Pulumi.dev.yaml"), "utf8");
      assert(kept.startsWith("encryptionsalt:") && kept.endsWith(settings));
    });

    it("find no drift where there is none", async () => {
      await succeeds(run("ci/drift.sh", [], withSecrets()));
    });

    it("report a group that was gone once, and record its new token", async () => {
      const { acme } = tokensOf(emulator);
      emulator.removeGroup("acme");
      const { code, output } = await run("ci/drift.sh", [], withSecrets());
      assert.deepEqual([code, output.includes("Drift, or an error")], [1, true]);
      assert.match(output, /Tokens of groups have changed/);
      assert.notEqual(tokensOf(emulator)["acme"], acme);
      await succeeds(run("ci/drift.sh", [], withSecrets()));
    });
  });

  for (const [where, secret] of Object.entries({
    "a block": "  app:a:\n    secure: v1:AAAA",
    "a quoted key": '  app:a:\n    "secure": v1:AAAA',
    "a list": "  app:a:\n    - secure: v1:AAAA",
    braces: "  app:a: { secure: v1:AAAA }",
  }))
    it(`don't preview with settings that need a key, in ${where}`, async () => {
      const file = join(project.folder, "Pulumi.sealed.yaml");
      const text = `config:\n${secret}\n`;
      await fs.writeFile(file, text);
      const { code, output } = await run("ci/preview.sh", [], { ...withoutSecrets(), STACK: "sealed" });
      assert.deepEqual([code, output.includes("Pulumi.sealed.yaml holds secrets")], [2, true]);
      assert.equal(await fs.readFile(file, "utf8"), text);
    });

  it("find the settings in the project's stackConfigDir", async () => {
    const file = join(project.folder, "settings/Pulumi.sealed.yaml");
    await fs.mkdir(join(project.folder, "settings"));
    await fs.writeFile(file, "config:\n  app:a:\n    secure: v1:AAAA\n");
    await project.write({ "Pulumi.yaml": `${files["Pulumi.yaml"] ?? ""}\nstackConfigDir: settings\n` });
    const { code, output } = await run("ci/preview.sh", [], { ...withoutSecrets(), STACK: "sealed" });
    await project.write(files);
    assert.deepEqual([code, output.includes("settings/Pulumi.sealed.yaml holds secrets")], [2, true]);
  });

  const stack = { STACK: "dev" };
  const withSecrets = () => ({ ...deployerEnvironment(project, emulator), ...stack });
  const withoutSecrets = () => ({ ...runnerEnvironment(project), ...stack });

  function deploy(): Promise<Ended> {
    return succeeds(
      run("pulumi", "up --stack dev --yes --skip-preview --non-interactive".split(" "), withSecrets()),
    );
  }

  function run(file: string, args: string[], env: Record<string, string>): Promise<Ended> {
    return command(file, args, project.folder, env);
  }
});

/** Of the stack, beside the salt that Pulumi writes there. */
const settings = "config:\n  user-groups:timeout: '30'\n";

/**
 * A program in Python and in Go, with the SDK that `pulumi package add` generates from a server with the archives of a release.
 * test/examples/commands has YAML.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { version } from "../../../provider/version";
import { snippetsOf } from "../../pages/pages";
import { newFixture, succeeds, type Fixture } from "../../support/engine";
import { repository } from "../../support/engine/programs";
import { engineHome } from "../../support/engine/project";
import { startArchiveServer } from "../../support/engine/archiveServer";
import { run, type Environment } from "../../support/harness/run";
import { example } from "../example";

describe("pulumi package add, from a server with the archives of a release", () => {
  let archives: Awaited<ReturnType<typeof startArchiveServer>>;
  let home: string;
  before(async () => {
    archives = await startArchiveServer();
    home = await homeWithHosts();
  });
  after(async () => {
    await archives.stop();
    await fs.rm(home, { recursive: true });
  });

  for (const [name, prepare] of [
    ["python", addPythonSdk],
    ["go", addGoSdk],
  ] as const)
    describe(`in examples/languages/${name}`, () => {
      const fixture = newFixture(() => ({
        program: example(`languages/${name}`, { "Pulumi.yaml": { [pluginInPlace]: "" } }),
        patience: 500,
      }));

      it("generates an SDK. up installs the plugin itself, creates the groups and settles, and destroy deletes them", async () => {
        const { stack } = fixture;
        const add = ["package", "add", `user-groups@${version}`, "--server", archives.address];
        succeeds(await stack.run(add, { env: { PULUMI_HOME: home } }));
        const env = await prepare(stack.folder);
        await assertDeploys(fixture, env);
      });
    });
});

describe("the steps of examples/languages, without a published package", () => {
  let home: string;
  before(async () => {
    home = await homeWithHosts();
  });
  after(() => fs.rm(home, { recursive: true }));
  const [add = "", install = ""] = snippetsOf("examples/languages/README.md", "sh");
  const inPlace = { "../../../plugin": join(repository, "plugin") };

  for (const [name, prepare] of [
    ["python", ofOlderHost],
    ["go", addGoSdk],
  ] as const)
    describe(`in ${name}`, () => {
      const fixture = newFixture(() => ({
        program: example(`languages/${name}`, { "Pulumi.yaml": inPlace }),
        patience: 500,
      }));

      it("generate an SDK and install it without a registry. up creates the groups and settles", async () => {
        const { stack } = fixture;
        const [[former, plugin] = ["", ""]] = Object.entries(inPlace);
        succeeds(await stack.shell(add.replace(former, plugin), { env: { PULUMI_HOME: home } }));
        succeeds(await stack.shell(install));
        await assertDeploys(fixture, await prepare(stack.folder));
      });
    });
});

/** up creates both groups and settles, and destroy deletes them. */
async function assertDeploys({ stack, emulator }: Fixture, env: Environment): Promise<void> {
  succeeds(await stack.up({ env }));
  const [acme, globex] = [...emulator.groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  assert.deepEqual([acme?.mapping, globex?.name], [{ sales: "acme-data" }, "Globex"]);
  const tokens = { acme: acme?.token, globex: globex?.token };
  assert.deepEqual(await stack.plainOutputs(), { tokens });
  assert.deepEqual(succeeds(await stack.preview({ env })).changes, { same: 3 });
  succeeds(await stack.destroy({ env }));
  assert.equal(emulator.groups.size, 0);
}

/** The Python host that the tests have makes the virtual environment in the program's folder, whatever Pulumi.yaml says. */
function ofOlderHost(program: string): Promise<Environment> {
  return Promise.resolve({ PATH: [join(program, "bin"), process.env["PATH"]].join(delimiter) });
}

/** The lines by which the examples use the plugin of the repository. */
const pluginInPlace = `plugins:
  providers:
    - name: user-groups
      path: ../../../plugin
`;

/** A home of the engine in which the hosts of Python and Go generate SDKs, as Pulumi's current ones do. */
async function homeWithHosts(): Promise<string> {
  const home = await fs.mkdtemp(join(tmpdir(), "user-groups-hosts-"));
  const installed = join(engineHome(), "versions");
  for (const name of await fs.readdir(installed)) {
    const bin = join(home, "versions", name, "bin");
    await fs.mkdir(bin, { recursive: true });
    const files = await fs.readdir(join(installed, name, "bin")).catch(() => []);
    const others = files.filter((file) => !/^pulumi-language-(python|go)/.test(file));
    for (const file of others) await fs.symlink(join(installed, name, "bin", file), join(bin, file));
  }
  const hosts = join(home, "hosts");
  await fs.mkdir(hosts);
  succeeds(
    await run(process.execPath, [join(repository, "tools/engine/generateSdks.mjs"), "--hosts", hosts]),
  );
  for (const name of await fs.readdir(join(home, "versions")))
    for (const file of ["pulumi-language-python", "pulumi-language-go"])
      await fs.symlink(join(hosts, file), join(home, "versions", name, "bin", file));
  return home;
}

/** The virtual environment `venv`. The first `python` on the PATH has Pulumi's SDK. */
async function addPythonSdk(program: string): Promise<Environment> {
  const { stdout } = succeeds(await run(process.execPath, [join(repository, "tools/engine/python.mjs")]));
  const commands = stdout.trim();
  await fs.symlink(join(commands, ".."), join(program, "venv"));
  const sdk = join(program, "sdks/user-groups");
  // The SDK looks up its version, which an installation writes there.
  const metadata = join(sdk, `pulumi_user_groups-${version}.dist-info`);
  await fs.mkdir(metadata);
  await fs.writeFile(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
  return { PATH: [commands, process.env["PATH"]].join(delimiter), PYTHONPATH: sdk };
}

/** With the engine's versions and flags, so that both share Go's build cache. */
async function addGoSdk(program: string): Promise<Environment> {
  const engine = await fs.readFile(join(repository, "tools/engine/cli/go.mod"), "utf8");
  const requirements = engine.slice(engine.indexOf("require"));
  const programModule = await fs.readFile(join(program, "go.mod"), "utf8");
  await fs.writeFile(join(program, "go.mod"), `${programModule}\n${requirements}`);
  await fs.copyFile(join(repository, "tools/engine/cli/go.sum"), join(program, "go.sum"));
  return { GOFLAGS: "-mod=mod -trimpath", GOWORK: "off" };
}

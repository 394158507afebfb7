/** A program of each language, with the SDKs that `npm run sdk` generates. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { version } from "../../../provider/src/version";
import { newFixture, succeeds, tokensOf } from "../../engine/harness";
import { repository } from "../../engine/harness/programs";
import { run, type Environment } from "../../harness/run";
import { example } from "../example";

describe("generated SDKs", () => {
  let sdks: string;
  before(async () => {
    sdks = await fs.mkdtemp(join(tmpdir(), "user-groups-sdks-"));
    const generate = [
      join(repository, "engine/generateSdks.mjs"),
      join(repository, "plugin/schema.json"),
      sdks,
    ];
    succeeds(await run(process.execPath, generate));
  });
  after(() => fs.rm(sdks, { recursive: true }));

  for (const [name, prepare] of [
    ["yaml", () => Promise.resolve({})],
    ["python", addPythonSdk],
    ["go", addGoSdk],
  ] as const)
    describe(`in examples/languages/${name}`, () => {
      const fixture = newFixture(() => {
        const plugin = { "../../../plugin": join(repository, "plugin") };
        return { program: example(`languages/${name}`, { "Pulumi.yaml": plugin }), patience: 500 };
      });

      it("create both groups, export their tokens, and delete them", async () => {
        const { stack, emulator } = fixture;
        const env = await prepare(sdks, stack.folder);
        succeeds(await stack.up({ env }));
        const { acme, globex } = Object.fromEntries(emulator.groups);
        assert.deepEqual([acme?.name, acme?.properties], ["Acme Corporation", { region: "eu" }]);
        assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
        assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
        assert.deepEqual(succeeds(await stack.preview({ env })).changes, { same: 3 });
        succeeds(await stack.destroy({ env }));
        assert.equal(emulator.groups.size, 0);
      });
    });
});

/** The virtual environment `venv`, and the package `pulumi_user_groups`. The first `python` on the PATH has Pulumi's SDK. */
async function addPythonSdk(sdks: string, program: string): Promise<Environment> {
  const { stdout } = succeeds(await run(process.execPath, [join(repository, "engine/python.mjs")]));
  const commands = stdout.trim();
  await fs.symlink(join(commands, ".."), join(program, "venv"));
  // The SDK looks up its version, which an installation writes there.
  const metadata = join(sdks, `python/pulumi_user_groups-${version}.dist-info`);
  await fs.mkdir(metadata, { recursive: true });
  await fs.writeFile(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
  const PATH = [commands, process.env["PATH"]].join(delimiter);
  return { PATH, PYTHONPATH: join(sdks, "python") };
}

/** The Go module `sdks/user-groups`, with the engine's versions and flags, so that both share Go's build cache. */
async function addGoSdk(sdks: string, program: string): Promise<Environment> {
  const sdk = join(program, "sdks/user-groups");
  await fs.cp(join(sdks, "go/usergroups"), sdk, { recursive: true });
  const engine = await fs.readFile(join(repository, "engine/cli/go.mod"), "utf8");
  const requirements = engine.slice(engine.indexOf("require"));
  const programModule = await fs.readFile(join(program, "go.mod"), "utf8");
  const module = "module example.com/pulumi-user-groups/sdk/go/usergroups\n\ngo 1.25\n\n";
  await fs.writeFile(join(sdk, "go.mod"), module + requirements);
  await fs.writeFile(join(program, "go.mod"), `${programModule}\n${requirements}`);
  await fs.copyFile(join(repository, "engine/cli/go.sum"), join(program, "go.sum"));
  return { GOFLAGS: "-mod=mod -trimpath", GOWORK: "off" };
}

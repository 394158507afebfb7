import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { newWorld, requestsTo, succeeds, tokensOf, type Environment } from "../../engine/harness";
import { version } from "../../../provider/src/version";
import { goEnvironment, pythonEnvironment } from "../../engine/harness/languages";
import { example } from "../example";

const run = promisify(execFile);
const repository = resolve(__dirname, "../../..");
const plugin = join(repository, "provider/plugin");

/** The built plugin in place, instead of one that is installed. */
const plugins = `plugins: { providers: [{ name: user-groups, path: ${JSON.stringify(plugin)} }] }\n`;

describe("examples in other languages", () => {
  let sdks: string;
  let python: Environment;
  before("the SDKs, as pulumi package add generates them", async () => {
    sdks = await fs.mkdtemp(join(tmpdir(), "user-groups-sdks-"));
    const script = join(repository, "engine/generateSdks.mjs");
    await run(process.execPath, [script, join(plugin, "schema.json"), sdks]);
    python = await pythonEnvironment();
  });
  after(() => fs.rm(sdks, { recursive: true }));

  const creates = (name: string, prepare: (folder: string) => Promise<Environment>) =>
    describe(`examples/${name}`, () => {
      const world = newWorld(() => {
        const { "Pulumi.yaml": project = "", ...files } = example(name);
        return { program: { ...files, "Pulumi.yaml": project + plugins }, patience: 500 };
      });

      it("creates both groups, exports their tokens, and deletes them", async () => {
        const env = await prepare(world.stack.folder);
        succeeds(await world.stack.up({ env }));
        const { acme, globex } = Object.fromEntries(world.emulator.groups);
        assert.deepEqual([acme?.name, acme?.properties], ["Acme Corporation", { region: "eu" }]);
        assert.deepEqual([globex?.name, globex?.mapping], ["Globex", { sales: "globex-warehouse" }]);
        assert.deepEqual(await world.stack.plainOutputs(), { tokens: tokensOf(world.emulator) });
        world.emulator.clearRequests();
        const preview = succeeds(await world.stack.preview({ env }));
        assert.deepEqual(preview.changes, { same: 3 });
        assert.deepEqual(requestsTo(world.emulator), []);
        succeeds(await world.stack.destroy({ env }));
        assert.equal(world.emulator.groups.size, 0);
      });
    });

  creates("yaml", () => Promise.resolve({}));

  creates("python", async (folder) => {
    await fs.symlink(join((python["PATH"] ?? "").split(delimiter)[0] ?? "", ".."), join(folder, "venv"));
    // The SDK asks for its version, which an installation writes there.
    const metadata = join(sdks, `python/pulumi_user_groups-${version}.dist-info`);
    await fs.mkdir(metadata, { recursive: true });
    await fs.writeFile(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
    return { ...python, PYTHONPATH: join(sdks, "python") };
  });

  creates("go", async (folder) => {
    const sdk = join(folder, "sdks/user-groups");
    await fs.cp(join(sdks, "go/usergroups"), sdk, { recursive: true });
    const engine = await fs.readFile(join(repository, "engine/cli/go.mod"), "utf8");
    const requirements = engine.slice(engine.indexOf("require"));
    const program = await fs.readFile(join(folder, "go.mod"), "utf8");
    const module = "module example.com/pulumi-user-groups/sdk/go/usergroups\n\ngo 1.25\n\n";
    await fs.writeFile(join(sdk, "go.mod"), module + requirements);
    await fs.writeFile(join(folder, "go.mod"), `${program}\n${requirements}`);
    await fs.copyFile(join(repository, "engine/cli/go.sum"), join(folder, "go.sum"));
    return { ...goEnvironment, GOFLAGS: "-mod=mod -trimpath" };
  });
});

/** Node.js keeps the compiled code: that of the plugin where no other user can write. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { PluginProcess, unary } from "../../support/harness/pluginProcess";
import { inherited, run } from "../../support/harness/run";
import { binaryFrom, nodePackage } from "./tool";

describe("compiled code, on Node.js 22.8 and newer", () => {
  let root: string;
  let node: string;
  before(async () => {
    root = await fs.mkdtemp(join(tmpdir(), "user-groups-compiled-"));
    node = join(await binaryFrom(nodePackage("24.21.0"), join(root, "node")), "node");
  });
  after(() => fs.rm(root, { recursive: true }));

  /** Starts the plugin with this home, and gives the files there after its first response. */
  const filesOfRun = async (home: string, env: Record<string, string> = {}) => {
    const plugin = await PluginProcess.start(undefined, { PULUMI_HOME: home, ...env }, node);
    try {
      await unary<PluginInfo>((callback) => plugin.client.getPluginInfo(new Empty(), callback));
    } finally {
      await plugin.stop();
    }
    return filesIn(home);
  };

  it("of the plugin is kept in Pulumi's home, in a folder of this user only", async () => {
    const home = await fs.mkdtemp(join(root, "home-"));
    assert.equal((await filesOfRun(home)).length, 1);
    assert.equal((await fs.stat(join(home, "user-groups/compiled"))).mode & 0o777, 0o700);
  });

  it("of a dynamic provider is kept, although the engine kills its process", async () => {
    const cache = await fs.mkdtemp(join(root, "cache-"));
    const provider = JSON.stringify(resolve(__dirname, "../../../dist/adapters/dynamic"));
    const configure = `require(${provider}).userGroup.configure({ config: { get() {}, require() {} } })`;
    // A process that kills itself by process.kill writes its cache before.
    const kill = 'require("node:child_process").execSync("kill -9 " + process.pid)';
    await run(node, ["--eval", `${configure}; ${kill}`], {
      env: { NODE_COMPILE_CACHE: cache, ...inherited() },
    });
    assert((await filesIn(cache)).length > 0);
  });

  for (const [title, mode, env] of [
    ["with NODE_DISABLE_COMPILE_CACHE=1", 0o700, { NODE_DISABLE_COMPILE_CACHE: "1" }],
    ["where others can write a folder above it", 0o777, {}],
  ] as const)
    it(`isn't kept ${title}`, async () => {
      const home = await fs.mkdtemp(join(root, "home-"));
      await fs.chmod(home, mode);
      assert.deepEqual(await filesOfRun(home, env), []);
    });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { inherited } from "../../harness/run";

const file = resolve(__dirname, "../../../provider/src/resources/resourceOptions");
const program = `
  try {
    console.log(require(${JSON.stringify(file)}).resourceInputs("userGroup", {}, {}, { type: "t", name: "n" }).__provider);
  } catch (error) {
    console.log(error.message);
  }`;

describe("a resource of a program", () => {
  it("needs the package as a direct dependency, if the engine runs the program", async () => {
    const folder = await mkdtemp(join(tmpdir(), "user-groups-program-"));
    try {
      const text = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
      const notFound =
        /^The package pulumi-user-groups can't be found from the program's folder.*\. Make it a direct dependency.*\[package-not-found\]$/;
      assert.equal(await run(folder, {}), text);
      assert.match(await run(folder, { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" }), notFound);
      const dependency = join(folder, "node_modules", "pulumi-user-groups");
      await mkdir(dependency, { recursive: true });
      await writeFile(join(dependency, "provider.js"), "");
      assert.equal(await run(folder, { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" }), text);
    } finally {
      await rm(folder, { recursive: true });
    }
  }).timeout("60s");
});

/** Runs the program in a process of its own, whose folder is `folder`. */
async function run(folder: string, env: Record<string, string>): Promise<string> {
  const root = resolve(__dirname, "../../..");
  const loader = join(root, "node_modules/ts-node/register");
  const { stdout } = await promisify(execFile)(process.execPath, ["--require", loader, "--eval", program], {
    cwd: folder,
    env: { ...inherited(), TS_NODE_CWD: root, TS_NODE_TRANSPILE_ONLY: "true", ...env },
  });
  return stdout.trim();
}

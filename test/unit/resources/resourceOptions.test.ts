import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { inherited, run, succeeds, withFolder } from "../../harness/run";

const file = resolve(__dirname, "../../../provider/src/resources/resourceOptions");
const program = `
  try {
    console.log(require(${JSON.stringify(file)}).resourceInputs("userGroup", {}, {}, { type: "t", name: "n" }).__provider);
  } catch (error) {
    console.log(error.message);
  }`;

describe("a resource of a program", () => {
  it("needs the package as a direct dependency, if the engine runs the program", () =>
    withFolder(async (folder) => {
      const text = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';
      const notFound =
        /^The package pulumi-user-groups can't be found from the program's folder.*\. Make it a direct dependency.*\[package-not-found\]$/;
      assert.equal(await printed(folder, {}), text);
      assert.match(await printed(folder, { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" }), notFound);
      const dependency = join(folder, "node_modules", "pulumi-user-groups");
      await mkdir(dependency, { recursive: true });
      await writeFile(join(dependency, "provider.js"), "");
      assert.equal(await printed(folder, { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" }), text);
    })).timeout("60s");
});

/** What the program prints in a process of its own, whose folder is `folder`. */
async function printed(folder: string, own: Record<string, string>): Promise<string> {
  const root = resolve(__dirname, "../../..");
  const loader = join(root, "node_modules/ts-node/register");
  const env = { ...inherited(), TS_NODE_CWD: root, TS_NODE_TRANSPILE_ONLY: "true", ...own };
  const args = ["--require", loader, "--eval", program];
  return succeeds(await run(process.execPath, args, { cwd: folder, env })).stdout.trim();
}

import { run, succeeds, withFolder } from "../../harness/run";
import { writeFiles } from "../../engine/harness/project";
import { packProvider } from "../../packages/tarball";
import { runTool } from "../../packages/tool";
import { example } from "../example";

/**
 * Its packages are installed here only: the engine would want the plugin of @pulumi/kubernetes for every program that finds that package
 * beside it, and the package's install script would fetch the plugin.
 */
describe("examples/kubernetes", () => {
  it("compiles, and hands each customer's token to the application in one secret file", () =>
    withFolder(async (folder) => {
      const tarball = await packProvider();
      const files = example("kubernetes", { "package.json": { "file:../..": `file:${tarball.file}` } });
      await writeFiles(folder, { ...files, "check.ts": check });
      const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
      await runTool("npm", ["install", ...flags], folder);
      await tarball.remove();
      const args = ["--require", "ts-node/register", "check.ts"];
      succeeds(await run(process.execPath, args, { cwd: folder }));
    }));
});

const check = `
  import assert from "node:assert/strict";
  import * as pulumi from "@pulumi/pulumi";
  const types: string[] = [];
  const mocks = {
    newResource({ type, name, inputs }: pulumi.runtime.MockResourceArgs) {
      types.push(type);
      return { id: name, state: { ...inputs, token: "token-of-" + name, adopted: false } };
    },
    call: () => ({}),
  };
  void pulumi.runtime.setMocks(mocks).then(async () => {
    const { secret } = require("./index") as typeof import("./index");
    const files = await new Promise<Record<string, string>>((done) => secret.stringData.apply(done));
    const { "tokens.json": text = "", ...others } = files;
    assert.deepEqual([JSON.parse(text), others], [{ acme: "token-of-acme", globex: "token-of-globex" }, {}]);
    assert.equal(await pulumi.isSecret(secret.stringData), true);
    assert.deepEqual(types.filter((type) => !type.endsWith(":UserGroup")), ["kubernetes:core/v1:Secret"]);
  });
`;

import * as fs from "node:fs/promises";
import { run, succeeds } from "../../harness/run";
import { writeFiles } from "../../engine/harness/project";
import { installExample } from "../example";

/**
 * Its packages are installed here only: the engine would want the plugin of @pulumi/kubernetes for every program that finds that package
 * beside it, and the package's install script would fetch the plugin.
 */
describe("examples/kubernetes", () => {
  it("compiles, and hands each customer's token to the application in one secret file", async () => {
    const folder = await installExample("kubernetes");
    try {
      await writeFiles(folder, { "check.ts": check });
      const args = ["--require", "ts-node/register", "check.ts"];
      succeeds(await run(process.execPath, args, { cwd: folder }));
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
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

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providerText } from "../../provider/src/resource";
import { inEnvironment } from "./environment";

const text = 'exports.handler = () => require("pulumi-user-groups/provider").userGroup;';

describe("the text of a provider", () => {
  it(
    "can be had outside of any program, say in a test",
    inEnvironment({}, () =>
      inFolder(() => {
        assert.equal(providerText("userGroup"), text);
        return Promise.resolve();
      }),
    ),
  );

  it(
    "can be had by a program only where the package is its own dependency",
    inEnvironment({ PULUMI_NODEJS_MONITOR: "127.0.0.1:1" }, () =>
      inFolder(async (folder) => {
        assert.throws(() => providerText("userGroup"), {
          name: "Error",
          message:
            /^The package pulumi-user-groups can't be found from the program's folder.*: make it a direct dependency/,
        });
        const dependency = join(folder, "node_modules", "pulumi-user-groups");
        await mkdir(dependency, { recursive: true });
        await writeFile(join(dependency, "provider.js"), "");
        assert.equal(providerText("userGroup"), text);
      }),
    ),
  );
});

/** Runs a test in an empty folder of its own. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-program-"));
  const before = process.cwd();
  process.chdir(folder);
  try {
    await test(folder);
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
}

import assert from "node:assert/strict";
import { packProvider, type Tarball } from "./tarball";
import { runTool } from "./tool";

describe("the tarball", () => {
  let tarball: Tarball;

  before(async () => {
    tarball = await packProvider();
  });

  after(async () => {
    await tarball.remove();
  });

  it("holds the built code, the types of its entry points and what every package holds", () => {
    const unexpected = tarball.paths.filter(
      (path) =>
        !/^dist\/.*\.(js|d\.ts)$|^dist\/LICENSES\.txt$|^plugin\/[^/]+$|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(
          path,
        ),
    );
    assert.deepEqual(unexpected, []);
    for (const path of [
      "README.md",
      "LICENSE",
      "dist/LICENSES.txt",
      "dist/cli.js",
      "plugin/LICENSES.txt",
      "plugin/plugin.cjs",
      "plugin/pulumi-resource-user-groups",
      "plugin/pulumi-resource-user-groups.cmd",
      "plugin/schema.json",
      "dist/provider/index.js",
      "dist/testing/index.d.ts",
    ])
      assert.ok(tarball.paths.includes(path), `${path} is missing`);
  });

  it("is small: at most 600 kB to download and 2.8 MB on the disk, dependencies included", () => {
    assert.ok(tarball.size <= 600_000, `${tarball.size} bytes`);
    assert.ok(tarball.unpackedSize <= 2_800_000, `${tarball.unpackedSize} bytes`);
  });

  it("has nothing that publint would change", async () => {
    await runTool("publint", ["run", tarball.file, "--strict"]);
  });

  it("has types that fit its code for every kind of resolution, the frozen subpath under node10 excepted", async () => {
    await runTool("attw", [tarball.file, "--exclude-entrypoints", "provider", "package.json"]);
    await runTool("attw", [tarball.file, "--entrypoints", "provider", "--profile", "node16"]);
  });
});

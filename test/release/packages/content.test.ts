/** What the packed package contains: in each change, because a release with a file too many can't be taken back. */
import assert from "node:assert/strict";
import { packProvider, type Tarball } from "./tarball";
import { pinned, runTool } from "./tool";

describe("the content of the packed package", () => {
  let tarball: Tarball;
  before(async () => {
    tarball = await packProvider();
  });
  after(() => tarball.remove());

  it("is complete and small: at most 650 kB to download and 2.8 MB on the disk, dependencies included", () => {
    const top = ["CHANGELOG.md", "LICENSE", "README.md", "llms.txt", "package.json"];
    const dist = ["LICENSES.txt", "sbom.cdx.json"];
    const plugin = [...dist, "main.cjs", "plugin.cjs", "pulumi-resource-user-groups", "schema.json"];
    const named = [
      ...top,
      ...dist.map((name) => `dist/${name}`),
      ...plugin.map((name) => `plugin/${name}`),
      "plugin/pulumi-resource-user-groups.cmd",
    ];
    const others = tarball.paths.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path));
    assert.deepEqual(others.sort(), named.sort());
    assert(tarball.size <= 650_000, `${tarball.size} bytes`);
    assert(tarball.unpackedSize <= 2_800_000, `${tarball.unpackedSize} bytes`);
  });

  it("has a valid manifest, and types for every kind of resolution, the frozen subpath under node10 excepted", async () => {
    await runTool(pinned("publint"), ["run", tarball.file, "--strict"]);
    const attw = pinned("attw");
    await runTool(attw, [tarball.file, "--exclude-entrypoints", "provider", "package.json"]);
    await runTool(attw, [tarball.file, "--entrypoints", "provider", "--profile", "node16"]);
  });
});

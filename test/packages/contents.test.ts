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
      (path) => !/^dist\/.*\.(js|d\.ts)$|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path),
    );
    assert.deepEqual(unexpected, []);
    for (const path of [
      "README.md",
      "LICENSE",
      "dist/cli.js",
      "dist/provider/index.js",
      "dist/testing/index.d.ts",
    ])
      assert.ok(tarball.paths.includes(path), `${path} is missing`);
  });

  it("is small: at most 80 kB to download and 300 kB on the disk", () => {
    assert.ok(tarball.size <= 80_000, `${tarball.size} bytes`);
    assert.ok(tarball.unpackedSize <= 300_000, `${tarball.unpackedSize} bytes`);
  });

  it("has nothing that publint would change", async () => {
    await runTool("publint", ["run", tarball.file, "--strict"]);
  });

  it("has types that fit its code for every kind of resolution, the frozen subpath under node10 excepted", async () => {
    await runTool("attw", [tarball.file, "--exclude-entrypoints", "provider", "package.json"]);
    await runTool("attw", [tarball.file, "--entrypoints", "provider", "--profile", "node16"]);
  });
});

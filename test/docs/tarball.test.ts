// What must hold of the package for those who have its resources in their states. test/packages does the rest.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { recordedState, recordedVersions } from "../engine/long/recordedStates";
import { packProvider, type Tarball } from "../packages/tarball";
import { repository } from "./pages";

const run = promisify(execFile);

describe("the packed tarball", () => {
  let tarball: Tarball;
  let folder: string;
  before("a program's folder with the package in it", async () => {
    tarball = await packProvider();
    folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-packed-")));
    const place = join(folder, "node_modules/pulumi-user-groups");
    await fs.mkdir(place, { recursive: true });
    await run("tar", ["-xzf", tarball.file, "-C", place, "--strip-components", "1"]);
    await fs.symlink(join(repository, "node_modules"), join(place, "node_modules"), "junction");
  });
  after("their end", async () => {
    await fs.rm(folder, { recursive: true, force: true });
    await tarball.remove();
  });
  const printed = async (program: string): Promise<unknown> => {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: folder,
    });
    return JSON.parse(stdout);
  };

  for (const version of recordedVersions())
    it(`has the providers that the state of ${version} requires`, async () => {
      const texts = providerTextsOf(recordedState(version).state);
      assert.equal(texts.length, 2);
      for (const text of texts) {
        const outcome = await printed(`
          import { createRequire } from "node:module";
          const exports = {};
          new Function("exports", "require", ${JSON.stringify(text)})(exports, createRequire("${folder}/program"));
          console.log(JSON.stringify(Object.keys(exports.handler())));
        `);
        assert.deepEqual(outcome, ["configure", "check", "diff", "create", "read", "update", "delete"]);
      }
    });

  it("has these two exports under the frozen subpath, and no other", async () => {
    const names = await printed(`
      import { createRequire } from "node:module";
      import { userGroup, userGroups } from "pulumi-user-groups/provider";
      const required = createRequire("${folder}/program")("pulumi-user-groups/provider");
      if (required.userGroup !== userGroup || required.userGroups !== userGroups) throw new Error("Others");
      console.log(JSON.stringify(Object.keys(required)));
    `);
    assert.deepEqual(names, ["userGroup", "userGroups"]);
  });

  it("runs nothing when it is installed", async () => {
    const file = join(folder, "node_modules/pulumi-user-groups/package.json");
    const { scripts } = manifest.parse(JSON.parse(await fs.readFile(file, "utf8")));
    const lifecycle = [
      "preinstall",
      "install",
      "postinstall",
      "prepublish",
      "preprepare",
      "prepare",
      "postprepare",
    ];
    assert.deepEqual(
      Object.keys(scripts).filter((name) => lifecycle.includes(name)),
      [],
    );
    assert(!tarball.paths.includes("binding.gyp"));
  });
});

describe("the lock file", () => {
  it("is committed, and names no registry", async () => {
    const { stdout } = await run("git", ["ls-files", "package-lock.json"], { cwd: repository });
    assert.equal(stdout, "package-lock.json\n");
    const text = await fs.readFile(join(repository, "package-lock.json"), "utf8");
    assert.doesNotMatch(text, /"resolved": "[a-z+]+:/);
  });

  it("has the versions that the manifests ask for", async () => {
    const lock = manifests.parse(
      JSON.parse(await fs.readFile(join(repository, "package-lock.json"), "utf8")),
    );
    for (const workspace of ["", "provider"]) {
      const file = join(repository, workspace, "package.json");
      const asked = manifest.parse(JSON.parse(await fs.readFile(file, "utf8")));
      const { dependencies, devDependencies } = asked;
      const locked = lock.packages[workspace];
      assert.deepEqual(
        [locked?.dependencies, locked?.devDependencies],
        [dependencies, devDependencies],
        file,
      );
    }
  });
});

/** The distinct providers of a state, as it requires them. */
function providerTextsOf(state: string): string[] {
  const texts = [...state.matchAll(/"__provider": ("(?:[^"\\]|\\.)*")/g)];
  return [...new Set(texts.map(([, text = ""]) => z.string().parse(JSON.parse(text))))];
}

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({ scripts: versions, dependencies: versions, devDependencies: versions });
const manifests = z.object({ packages: z.record(z.string(), manifest.partial()) });

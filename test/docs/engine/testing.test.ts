import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ended } from "../../harness/ended";
import { repository } from "../pages";

describe("examples/testing", () => {
  let folder: string;
  before("a copy", async () => {
    // The real path, because the engine names files by theirs.
    folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-testing-")));
    const isWanted = (path: string) => !path.includes("node_modules");
    await fs.cp(join(repository, "examples/testing"), folder, { recursive: true, filter: isWanted });
    await fs.symlink(join(repository, "node_modules"), join(folder, "node_modules"), "junction");
  });
  after("its end", () => fs.rm(folder, { recursive: true, force: true }));

  it("tests its program, and cleans up", async function () {
    this.timeout("300s");
    const files = (await fs.readdir(folder)).sort();
    const output = await mocha(folder);
    assert.match(output, /^ +5 passing/m);
    assert.doesNotMatch(output, /failing|pending/);
    assert.deepEqual((await fs.readdir(folder)).sort(), files);
  });
});

/** As its `npm test` does, which puts the commands of packages on the PATH. */
async function mocha(folder: string): Promise<string> {
  const bin = join(folder, "node_modules");
  const env = { ...process.env, PATH: [join(bin, ".bin"), process.env["PATH"]].join(delimiter) };
  const child = spawn(process.execPath, [join(bin, "mocha/bin/mocha.js")], { cwd: folder, env });
  const { code, output } = await ended(child);
  assert.equal(code, 0, output);
  return output;
}

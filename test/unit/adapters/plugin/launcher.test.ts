import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { engines } from "../../../../package.json";
import { ended, fails, run, succeeds, withFolder } from "../../../support/harness/run";

const launcher = resolve(__dirname, "../../../../plugin/pulumi-resource-user-groups");

describe("the plugin's launchers", () => {
  it("start the same file, and name the versions of Node.js that the package supports", async () => {
    assert.equal(engines.node, "^20.19.0 || >=22.12.0");
    const missing = "The plugin user-groups requires Node.js 20.19+ or 22.12+ on the PATH.";
    for (const file of [launcher, `${launcher}.cmd`]) {
      const text = await readFile(file, "utf8");
      assert.match(text, /^(exec )?node .*plugin\.cjs" ("\$@"|%\*)$/m);
      assert(text.includes(missing), file);
    }
  });

  // A shell runs this launcher, and Windows has another one.
  if (process.platform === "win32") return;

  it("say that Node.js is missing", () =>
    withFolder(async (folder) => {
      fails(await run("/bin/sh", [launcher], { env: { PATH: folder } }), /requires Node\.js/);
    }));

  it("start the plugin through symbolic links, absolute and relative", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "bin"));
      await symlink(launcher, join(folder, "absolute"));
      await symlink("../absolute", join(folder, "bin/relative"));
      const child = spawn(join(folder, "bin/relative"), ["127.0.0.1:1"]);
      const result = ended(child, () => child.stdin.end());
      assert.match(succeeds(await result).stdout, /^\d{4,5}$/m);
    }));
});

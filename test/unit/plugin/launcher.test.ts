import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { engines } from "../../../package.json";
import { fails, run, withFolder } from "../../harness/run";

const launcher = resolve(__dirname, "../../../plugin/pulumi-resource-user-groups");
const missing = "The plugin user-groups requires Node.js 20.19+ or 22.12+ on the PATH.";

describe("the plugin's launchers", () => {
  it("start the same file, and name the versions of Node.js that the package supports", async () => {
    assert.equal(engines.node, "^20.19.0 || >=22.12.0");
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
      const child = spawn(join(folder, "bin/relative"), ["127.0.0.1:1"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const ended = once(child, "exit");
      const printed: unknown[] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
      child.stdin.end();
      await ended;
      assert.match(String(printed[0]), /^\d{4,5}$/);
    }));
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { withFolder } from "../../harness/run";

const launcher = resolve(__dirname, "../../../plugin/pulumi-resource-user-groups");

describe("the plugin's launcher", function () {
  if (process.platform === "win32") return;

  it("starts the plugin through symbolic links, absolute and relative", () =>
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

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmulator } from "../../provider/src/testing";
import { fails, succeeds } from "../engine/harness";
import { nodeFrom } from "./binary";
import { install } from "./installation";
import { packProvider } from "./tarball";

describe("what the package can't run with", () => {
  it("says so of Plug'n'Play on a Node.js whose loaders it can't use, and how to go on", async () => {
    const row = { program: "JavaScript, CommonJS", manager: "Yarn, Plug'n'Play", sdk: "3.248.0" } as const;
    const [tarball, emulator] = [await packProvider(), await startEmulator()];
    const installed = await install(row, tarball.file, emulator);
    try {
      succeeds(await installed.pulumi("stack", "init", "dev"));
      const { output } = fails(await installed.pulumi("up", "--yes", "--skip-preview"));
      assert.match(
        output,
        /can't be loaded .* Plug'n'Play .*nodeLinker to node-modules .*\[package-not-found\]/s,
      );
      assert.doesNotMatch(output, /^ +at /m);
      assert.equal(emulator.requests.length, 0);
    } finally {
      await installed.remove();
      await emulator.stop();
      await tarball.remove();
    }
  });

  it("says so of an older Node.js, whatever is asked of it", async () => {
    const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-node-"));
    try {
      const node = join(await nodeFrom("18.20.8", folder), "node");
      const cli = resolve(__dirname, "../../dist/cli.js");
      const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((done) => {
        const child = execFile(node, [cli, "doctor"], (_error, _stdout, stderr) => {
          done({ code: child.exitCode, stderr });
        });
      });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^pulumi-user-groups requires Node\.js 20\.19\+ or 22\.12\+; this is 18\.20\.8\.\n$/,
      );
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
});

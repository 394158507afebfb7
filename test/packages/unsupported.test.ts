import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { nodeFrom } from "./binary";

describe("what the package can't run with", () => {
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

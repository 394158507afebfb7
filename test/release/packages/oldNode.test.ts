/** On a Node.js that is too old, each entry of the package says so, and nothing else. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { ended, fails, inherited } from "../../support/harness/run";
import { install } from "./installation";
import { packProvider, type Tarball } from "./tarball";
import { binaryFrom, nodePackage } from "./tool";

const old = "18.20.8";
const issue = `pulumi-user-groups requires Node.js 20.19+ or 22.12+, this is ${old}.`;

describe("on Node.js 18", () => {
  let root: string;
  let node: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "user-groups-old-"));
    node = join(await binaryFrom(nodePackage(old), join(root, "node")), "node");
  });
  after(() => rm(root, { recursive: true }));

  const repository = resolve(__dirname, "../../..");
  const start = (...args: readonly string[]) => {
    const child = spawn(node, args, { cwd: repository, env: inherited() });
    // The plugin ends with the engine, which holds the other end.
    return ended(child, () => child.stdin.end());
  };

  for (const entry of ["pulumi-user-groups", "plugin", "provider", "testing"])
    it(`the module ${entry} can't be loaded`, async () => {
      const name = entry === "pulumi-user-groups" ? entry : `pulumi-user-groups/${entry}`;
      const program = `try { require("${name}") } catch ({ message, stack }) { process.stdout.write(message + "\\n" + stack) }`;
      assert.equal((await start("--eval", program)).output, `${issue}\n${issue}`);
    });

  for (const [what, file, ...args] of [
    ["a command", "dist/cli.js", "doctor"],
    ["the plugin", "plugin/plugin.cjs", "127.0.0.1:1"],
  ] as const)
    it(`${what} ends`, async () => {
      const { code, output } = await start(file, ...args);
      assert.deepEqual([code, output], [1, `${issue}\n`]);
    });

  describe("a program", () => {
    let tarball: Tarball;
    before(async () => {
      tarball = await packProvider();
    });
    after(() => tarball.remove());

    emulatorTest("fails before its first request", {}, async (emulator) => {
      const row = { program: "JavaScript, CommonJS", manager: "npm", sdk: "3.146.0", node: old } as const;
      const stack = await install(row, tarball.file, emulator);
      try {
        await stack.run(["stack", "init", "dev"]);
        fails(await stack.up(), new RegExp(issue.replace(/[.+]/g, "\\$&")));
        assert.equal(emulator.requests.length, 0);
      } finally {
        await stack.remove();
      }
    });
  });
});

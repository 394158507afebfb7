import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../../bench/command";

describe("a measured command", () => {
  const stays = new AbortController().signal;

  it("gets no settings of the shell for contestants", async () => {
    process.env["TF_VAR_of_the_shell"] = "x";
    try {
      const script = "console.log(process.env.GIVEN, process.env.TF_VAR_of_the_shell)";
      assert.equal((await run(node(script, { GIVEN: "given" }), stays)).output, "given undefined\n");
    } finally {
      delete process.env["TF_VAR_of_the_shell"];
    }
  });

  it("fails with its output if its exit code isn't 0", async () => {
    const failing = run(node("console.log('some reason'); process.exit(3)"), stays);
    await assert.rejects(failing, /ended with 3:\nsome reason/);
  });

  it("counts the memory and the processor time of what the command starts, too", async function () {
    if (process.platform !== "linux") return this.skip();
    const grandchild = `const held = Buffer.alloc(300 * 2 ** 20, 1);
      const end = Date.now() + 500; while (Date.now() < end) held[0] += 1;`;
    const child = `require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
    const { peakMemoryMiB, cpuSeconds } = await run(node(child), stays);
    assert(peakMemoryMiB > 300, `${peakMemoryMiB} MiB`);
    assert(cpuSeconds > 0);
  });

  it("ends with what it started when it is aborted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "user-groups-command-"));
    const file = join(folder, "pid");
    try {
      const grandchild = `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
        setInterval(() => {}, 1000);`;
      const child = `require("child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
      const stop = new AbortController();
      const running = run(node(child), stop.signal);
      while (!existsSync(file) || readFileSync(file, "utf8") === "") await sleep(20);
      stop.abort(new Error("enough"));
      await assert.rejects(running, /enough/);
      const pid = Number(readFileSync(file, "utf8"));
      while (isRunning(pid)) await sleep(20);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function node(script: string, env: Record<string, string> = {}) {
  return { file: process.execPath, args: ["-e", script], cwd: process.cwd(), env };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

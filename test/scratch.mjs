// Runs programs that keep their temporary files in one folder, and removes it whatever becomes of them.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./setup.mjs";

/** Calls `use` with a function that runs a command in the repository and resolves to its exit code and message. */
export async function withScratch(use) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "user-groups-")));
  const running = new Set();
  let isStopped = false;
  // A terminal sends its interrupt to the children as well; they end in their own time, and then this process does.
  process.on("SIGINT", () => (isStopped = true));
  process.on("SIGTERM", () => {
    isStopped = true;
    for (const child of running) child.kill("SIGTERM");
  });
  try {
    return await use((command, args, env = {}) => {
      if (isStopped) throw new Error("stopped");
      return run(command, args, { scratch, running, env });
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function run(command, args, { scratch, running, env }) {
  const child = spawn(command, args, {
    cwd: repository,
    env: { ...process.env, ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    shell: process.platform === "win32" && command === "npm",
  });
  running.add(child);
  let message;
  child.on("message", (received) => (message = received));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  running.delete(child);
  return { code, message };
}

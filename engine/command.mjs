// Runs commands, with an optional time limit. A signal that ends this process ends them and their child processes too.
import { spawn, spawnSync } from "node:child_process";

const windows = process.platform === "win32";
const running = new Set();
let stopped = false;

export async function run([command, ...args], { cwd, env, seconds }) {
  if (stopped) throw new Error("stopped");
  // Its own process group, so that end() also reaches the command's child processes.
  const stdio = ["ignore", "pipe", "pipe"];
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: !windows, stdio });
  running.add(child);
  const result = { stdout: "", output: "", late: false };
  child.stdout.on("data", (chunk) => ((result.stdout += chunk), (result.output += chunk)));
  child.stderr.on("data", (chunk) => (result.output += chunk));
  const limit = seconds && setTimeout(() => ((result.late = true), end(child)), seconds * 1000);
  try {
    result.code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  } finally {
    clearTimeout(limit);
    running.delete(child);
  }
  if (stopped) throw new Error("stopped");
  return result;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    stopped = true;
    running.forEach(end);
  });
}

function end(child) {
  if (windows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
  else process.kill(-child.pid, "SIGTERM");
}

// `npm run bench`: makes the checkout ready, and measures.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { repository, setUp } from "../test/setup.mjs";

const isEngineThere = setUp({ withLanguages: true });
if (isEngineThere) {
  const main = join(repository, "bench", "main.ts");
  const args = ["--require", "ts-node/register", main, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: "inherit" });
  // A terminal sends its interrupt to the child as well, which then cleans up.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("close", (code) => (process.exitCode = code ?? 1));
} else {
  process.exitCode = 1;
}

// `npm run demo`: makes the checkout ready, runs the demo and removes what it left in temporary folders.
import { withScratch } from "../scratch.mjs";
import { setUp } from "../setup.mjs";

try {
  if (!setUp()) throw new Error("the engine can't be had; the reason is said above");
  const demo = ["--require", "ts-node/register", "test/demo/demo.ts"];
  const { code } = await withScratch((run) => run(process.execPath, demo));
  process.exitCode = code ?? 1;
} catch (error) {
  console.error(`The demo can't run: ${error.message}`);
  process.exitCode = 1;
}

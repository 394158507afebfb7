/** The examples whose packages a clone doesn't contain, as their READMEs install them there. */
import { join } from "node:path";
import { newClone, type Clone } from "../release/packages/clone";
import { nodePackage, runTool } from "../release/packages/tool";

/** A version of Node.js that runs the worker's TypeScript. */
export const workerNode = nodePackage("22.23.3");

/** The folder of the example in a clone, with its packages. Its programs compile. */
export async function installed(name: "worker" | "kubernetes"): Promise<Clone> {
  const clone = await newClone();
  const folder = join(clone.folder, "examples", name);
  await runTool("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  await runTool(join(folder, "node_modules/.bin/tsc"), ["--noEmit", "--project", folder]);
  return { ...clone, folder };
}

/** The examples with packages of their own: the engine would want the plugin of each package that a program finds beside it. */
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFiles } from "../engine/harness/project";
import { packProvider } from "../packages/tarball";
import { runTool } from "../packages/tool";
import { example } from "./example";

/** A folder with the example and its packages, as npm installs them. Its programs compile. */
export async function installed(name: "worker" | "kubernetes", ...flags: string[]): Promise<string> {
  const folder = await fs.mkdtemp(join(await fs.realpath(tmpdir()), "user-groups-example-"));
  const tarball = await packProvider();
  await writeFiles(folder, example(name, { "package.json": { "file:../..": `file:${tarball.file}` } }));
  await runTool("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...flags], folder);
  await tarball.remove();
  await runTool(join(folder, "node_modules/.bin/tsc"), ["--noEmit", "--project", folder]);
  return folder;
}

/** The package managers: what a program needs of each beside its package.json, and how it installs. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { binaryFrom } from "./binary";
import type { Row } from "./rows";
import { runTool } from "./tool";

const run = promisify(execFile);

/** Files beside package.json. `source`: the package's address, from which pnpm builds it only if it is told to. */
export function filesFor(manager: Row["manager"], source: string): Record<string, string> {
  const settings = (linker: string) => ({
    ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\n`,
    "yarn.lock": "",
  });
  if (manager === "pnpm")
    return { "pnpm-workspace.yaml": `onlyBuiltDependencies:\n  - "pulumi-user-groups@${source}"\n` };
  if (manager === "Yarn") return settings("node-modules");
  return manager === "Yarn, Plug'n'Play" ? settings("pnp") : {};
}

/** pnpm and Yarn are pinned in this repository's package.json, Bun here; npm is the one of the tests' Node.js. */
export async function installPackages({ manager, sdk }: Row, folder: string): Promise<void> {
  if (manager === "npm") await npmInstall(folder, sdk === "latest");
  else if (manager === "pnpm") await runTool("pnpm", ["install", "--no-frozen-lockfile"], folder);
  else if (manager === "Bun") await bunInstall(folder);
  else await runTool("yarn", ["install"], folder);
}

/** What Node.js must be told to find packages where there is no node_modules; Yarn tells it to what it starts itself. */
export function nodeOptionsFor(manager: Row["manager"], folder: string): Record<string, string> {
  if (manager !== "Yarn, Plug'n'Play") return {};
  return { NODE_OPTIONS: `--require ${join(folder, ".pnp.cjs")}` };
}

/** Only the newest version must be asked for; all others may be as npm has kept them. */
async function npmInstall(folder: string, isNewest: boolean): Promise<void> {
  const options = ["--no-audit", "--no-fund", ...(isNewest ? [] : ["--prefer-offline"])];
  await run("npm", ["install", ...options], { cwd: folder });
}

async function bunInstall(folder: string): Promise<void> {
  const bun = await binaryFrom(`@oven/bun-${process.platform}-${process.arch}@1.4.5`, join(folder, "../bun"));
  await run(join(bun, "bun"), ["install"], { cwd: folder });
}

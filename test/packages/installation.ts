import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import type { Emulator } from "../../provider/src/testing";
import { launch } from "../engine/harness/launcher";
import type { Ended } from "../harness/run";
import { nodeFrom } from "./binary";
import { filesFor, installPackages, nodeOptionsFor } from "./managers";
import { programs } from "./programs";
import type { Row } from "./rows";

const run = promisify(execFile);

/** A program of a row in a folder of its own, with what a user would have installed there. */
export interface Installation {
  readonly folder: string;
  /** The version of @pulumi/pulumi that it got. */
  readonly sdk: string;
  /** Runs `pulumi` on it. */
  pulumi(...args: string[]): Promise<Ended>;
  remove(): Promise<void>;
}

export async function install(row: Row, tarball: string, emulator: Emulator): Promise<Installation> {
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-package-")));
  const remove = () => fs.rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const folder = await writeProgram(row, root, tarball);
    await installPackages(row, folder);
    if (row.program === "precompiled") await run("npx", ["tsc"], { cwd: folder });
    const env = await environment(row, root, emulator);
    const pulumi = (...args: string[]) =>
      launch([...args, "--non-interactive", "--color", "never"], { cwd: folder, env });
    return { folder, sdk: row.sdk === "latest" ? await newestIn(folder) : row.sdk, pulumi, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeProgram(row: Row, root: string, tarball: string): Promise<string> {
  const { program, manager, sdk, from } = row;
  const { files, manifest, isTypeScript } = programs[program];
  const folder = join(root, "program");
  const source = from === "git" ? await gitAddress() : `file:${tarball}`;
  const dependencies = { "@pulumi/pulumi": sdk, "pulumi-user-groups": source };
  const devDependencies = { "@types/node": "^20.19.0", "ts-node": "^10.9.2", typescript: "^5.9.3" };
  const packageJson = {
    name: "packages",
    private: true,
    ...manifest,
    dependencies,
    ...(isTypeScript && { devDependencies }),
  };
  const all = { ...files, ...filesFor(manager, source), "package.json": JSON.stringify(packageJson) };
  for (const [name, text] of Object.entries(all)) {
    await fs.mkdir(dirname(join(folder, name)), { recursive: true });
    await fs.writeFile(join(folder, name), text);
  }
  return folder;
}

/** Of the last commit. */
async function gitAddress(): Promise<string> {
  const repository = resolve(__dirname, "../..");
  const { stdout } = await run("git", ["rev-parse", "HEAD"], { cwd: repository });
  return `git+${pathToFileURL(repository).href}#${stdout.trim()}`;
}

async function environment(
  { node, manager }: Row,
  root: string,
  emulator: Emulator,
): Promise<Record<string, string | undefined>> {
  const backend = join(root, "backend");
  await fs.mkdir(backend);
  const nodeFolder =
    node === undefined ? dirname(process.execPath) : await nodeFrom(node, join(root, "node"));
  return {
    PATH: [nodeFolder, process.env["PATH"]].join(delimiter),
    PULUMI_HOME: process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"),
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "packages",
    ...nodeOptionsFor(manager, join(root, "program")),
    USER_GROUPS_BASE_URL: emulator.baseUrl,
    USER_GROUPS_API_TOKEN: emulator.apiToken,
  };
}

async function newestIn(folder: string): Promise<string> {
  const text = await fs.readFile(join(folder, "node_modules/@pulumi/pulumi/package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

import * as fs from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Emulator } from "../../provider/src/testing";
import { launch } from "../engine/harness/launcher";
import type { Ended, Environment } from "../harness/run";
import { filesFor, installPackages, nodeOptionsFor, type Manager } from "./managers";
import { programs, type ProgramKind } from "./programs";
import { binaryFrom, nodePackage, runTool } from "./tool";

/** One combination that a user may have. */
export interface Row {
  readonly program: ProgramKind;
  readonly manager: Manager;
  /** Installs the last commit from the repository's address. Default: the packed working tree. */
  readonly from?: "git";
  /** Version of @pulumi/pulumi. */
  readonly sdk: string;
  /** Version of Node.js, from the npm package that brings it. Default: the last one that the older SDKs support. */
  readonly node?: string;
}

export const oldNode = "20.20.2";

/** A program of a row in a folder of its own, with what a user would have installed there. */
export interface Installation {
  /** Runs `pulumi` on it. */
  readonly pulumi: (...args: string[]) => Promise<Ended>;
  readonly remove: () => Promise<void>;
}

export async function install(row: Row, tarball: string, emulator: Emulator): Promise<Installation> {
  const root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), "user-groups-package-")));
  const remove = () => fs.rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const folder = await writeProgram(row, root, tarball);
    await installPackages(row.manager, folder);
    if (row.program === "precompiled") await runTool("npx", ["tsc"], folder);
    const env = await environment(row, root, emulator);
    const pulumi = (...args: string[]) =>
      launch([...args, "--non-interactive", "--color", "never"], { cwd: folder, env });
    return { pulumi, remove };
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
  const packageJson = {
    ...{ name: "packages", private: true, ...manifest },
    dependencies: { "@pulumi/pulumi": sdk, "pulumi-user-groups": source },
    ...(isTypeScript && {
      devDependencies: { "@types/node": "^20.19.0", "ts-node": "^10.9.2", typescript: "^5.9.3" },
    }),
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
  const commit = await runTool("git", ["rev-parse", "HEAD"], repository);
  return `git+${pathToFileURL(repository).href}#${commit.trim()}`;
}

async function environment(
  { node = oldNode, manager }: Row,
  root: string,
  emulator: Emulator,
): Promise<Environment> {
  const backend = join(root, "backend");
  await fs.mkdir(backend);
  const nodeFolder = await binaryFrom(nodePackage(node), join(root, "node"));
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

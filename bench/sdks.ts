// The plugin's SDKs, generated into bench/.cache once for each schema.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { addPythonSdk, generateSdks, schemaFile } from "../test/engine/harness/sdks";
import type { Environment } from "./command";
import type { Contestant } from "./contestants";

/** Adds the SDK that a program needs, if any, to its folder. Returns the environment that it needs in addition. */
export async function addSdk({ plugin }: Contestant, folder: string): Promise<Environment> {
  if (plugin === "python") return addPythonSdk(await sdks(), folder);
  return {};
}

async function sdks() {
  const key = createHash("sha256").update(readFileSync(schemaFile)).digest("hex").slice(0, 12);
  const folder = join(__dirname, ".cache", `sdks-${key}`);
  if (!existsSync(folder)) {
    await generateSdks(`${folder}.part`);
    renameSync(`${folder}.part`, folder);
  }
  return { folder };
}

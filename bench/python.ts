// The plugin's SDK for Python, generated into bench/.cache once for each schema.
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { version } from "../provider/src/version";
import { pythonEnvironment } from "../test/engine/harness/languages";
import type { Environment } from "./command";

/** A Python with Pulumi's SDK and the plugin's. */
export async function pythonSdkEnvironment(): Promise<Environment> {
  const schema = resolve(__dirname, "../provider/plugin/schema.json");
  const key = createHash("sha256").update(readFileSync(schema)).digest("hex").slice(0, 12);
  const sdks = join(__dirname, ".cache", `sdks-${key}`);
  // The SDK reads its version from here. An installation would write this file, so it comes last.
  const metadata = join(sdks, `python/pulumi_user_groups-${version}.dist-info`);
  if (!existsSync(join(metadata, "METADATA"))) {
    await promisify(execFile)(process.execPath, [generator, schema, sdks]);
    mkdirSync(metadata, { recursive: true });
    writeFileSync(join(metadata, "METADATA"), `Name: pulumi_user_groups\nVersion: ${version}\n`);
  }
  return { ...(await pythonEnvironment()), PYTHONPATH: join(sdks, "python") };
}

const generator = resolve(__dirname, "../engine/generateSdks.mjs");

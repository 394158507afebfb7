import { execFile } from "node:child_process";
import { delimiter, resolve } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "./launcher";

const run = promisify(execFile);
const repository = resolve(__dirname, "../../..");

/**
 * The environment of a program in Python: the first `python` on its PATH has Pulumi's SDK. The language hosts themselves
 * are those of `node engine/install.mjs --languages`.
 */
export async function pythonEnvironment(): Promise<Environment> {
  const { stdout } = await run(process.execPath, ["engine/python.mjs"], { cwd: repository });
  return { PATH: [stdout.trim(), process.env["PATH"]].join(delimiter) };
}

/** The environment of a program in Go, which is compiled as the engine is, so that both share Go's build cache. */
export const goEnvironment: Environment = { GOFLAGS: "-mod=readonly -trimpath", GOWORK: "off" };

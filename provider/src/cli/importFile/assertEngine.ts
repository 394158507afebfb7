/** Engines before 3.254 ignore the outputs in an import file, and ask the provider instead. */
import { runPulumi } from "../runPulumi";

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws if the engine on the PATH is known to be too old. */
export async function assertEngine(environment: Environment): Promise<void> {
  const stdout = await runPulumi(["version"], { env: environment }).catch(() => "");
  const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(stdout) ?? [];
  if (version === undefined || Number(major) > 3 || Number(minor) >= 254) return;
  throw new Error(
    `No file was written, because the pulumi on the PATH is ${version}, and pulumi import reads outputs from a file only ` +
      "from 3.254 on. Install a newer one.",
  );
}

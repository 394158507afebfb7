import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { inEnvironment } from "./environment";

export interface World {
  readonly emulator: Emulator;
  /** What was shown to the user, line by line. */
  readonly warnings: readonly string[];
}

export interface WorldOptions extends EmulatorOptions {
  /** On top of the address and the API token of the emulator. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a test with a service of its own, which the environment names, and with warnings kept. The pauses between
 * attempts, which are random parts of a whole, are none.
 */
export function inWorld(
  { env, ...options }: WorldOptions,
  test: (world: World) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const emulator = await startEmulator(options);
    const settings = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
    const { random } = Math;
    Math.random = () => 0;
    try {
      await withWarnings((warnings) =>
        inEnvironment({ ...settings, ...env }, () => test({ emulator, warnings }))(),
      );
    } finally {
      Math.random = random;
      await emulator.stop();
    }
  };
}

/** Runs a test with what goes to the standard error output kept, and not shown. */
export async function withWarnings(test: (warnings: readonly string[]) => Promise<void>): Promise<void> {
  const warnings: string[] = [];
  const { stderr } = process;
  const write = stderr.write.bind(stderr);
  stderr.write = (chunk: string | Uint8Array) => {
    warnings.push(String(chunk));
    return true;
  };
  try {
    await test(warnings);
  } finally {
    stderr.write = write;
  }
}

/** The bodies that the service has received, oldest first. */
export function bodies({ requests }: Emulator): unknown[] {
  return requests.map(({ method, body }) => ({ method, body }));
}

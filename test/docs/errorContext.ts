/** The providers in this process, with everything that they use of it passed in. */
import { dynamicProviders, type DynamicProviders } from "../../provider/src/dynamic/dynamicProviders";
import { systemClock } from "../../provider/src/service/http/clock";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";

export interface Context extends DynamicProviders {
  readonly emulator: Emulator;
  /** Each line that the user sees. */
  readonly lines: readonly string[];
}

export interface ContextOptions {
  readonly service?: EmulatorOptions;
  /** Beside the address and the API token of the emulator. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** What the clock draws. Default: 0, so that there are no pauses between attempts. */
  readonly random?: number | (() => number);
}

/** The name of a host that no name server is asked for, because a label has at most 63 characters. */
export const unresolvable = "x".repeat(64);

/** Runs `use` with a service and providers of its own. */
export async function inContext<Result>(
  { service, environment, signal = new AbortController().signal, random = 0 }: ContextOptions,
  use: (context: Context) => Promise<Result>,
): Promise<Result> {
  const emulator = await startEmulator(service);
  const lines: string[] = [];
  const providers = dynamicProviders({
    environment: {
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
      ...environment,
    },
    logger: {
      info: (line) => lines.push(line),
      warn: (line) => lines.push(`warning: ${line}`),
    },
    clock: { ...systemClock, random: () => (typeof random === "number" ? random : random()) },
    signal,
  });
  try {
    return await use({ ...providers, emulator, lines });
  } finally {
    await emulator.stop();
  }
}

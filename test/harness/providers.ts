/** The dynamic providers of one deployment after another, against an emulator, with everything passed in. */
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";
import { UserGroupError } from "../../provider/src/errors";
import type { Emulator, EmulatorOptions } from "../../provider/src/testing";
import { jumpingClock } from "./clock";
import { emulatorTest } from "./emulatorTest";

type Deployed = ReturnType<typeof dynamicProviders>;

export interface Context extends Deployed {
  readonly emulator: Emulator;
  /** What the user sees. Warnings begin with `warning: `. */
  readonly lines: string[];
  /** Those of the next deployment, with the same environment. */
  readonly deploy: () => Deployed;
}

export interface ContextDependencies extends Partial<Pick<DynamicDependencies, "clock" | "signal">> {
  /** Beside the address and the API token of the emulator. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export type ContextOptions = EmulatorOptions & Pick<ContextDependencies, "env">;

/** The name of a host that no name server is asked for, because a label has at most 63 characters. */
export const unresolvable = "x".repeat(64);

/** Declares a test that has a service and a deployment of its own. */
export function deploymentTest(
  title: string,
  { env, ...options }: ContextOptions,
  test: (context: Context) => Promise<void>,
): Mocha.Test {
  return emulatorTest(title, options, (emulator) => test(contextOf(emulator, { env })));
}

export function contextOf(emulator: Emulator, { env, ...dependencies }: ContextDependencies = {}): Context {
  const environment: Record<string, string | undefined> = {
    USER_GROUPS_BASE_URL: emulator.baseUrl,
    USER_GROUPS_API_TOKEN: emulator.apiToken,
    ...env,
  };
  const lines: string[] = [];
  const logger = {
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(`warning: ${line}`),
  };
  const defaults = { clock: jumpingClock(), signal: new AbortController().signal };
  const deploy = () => dynamicProviders({ environment, logger, ...defaults, ...dependencies });
  return { emulator, lines, deploy, ...deploy() };
}

/** The error for people with which an operation fails. */
export async function failureOf(operation: Promise<unknown>): Promise<UserGroupError> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof UserGroupError) return error;
    throw error;
  }
  throw new Error("The operation didn't fail.");
}

/** The requests that the service has received, such as `GET acme created`. */
export function effectsOf({ requests }: Emulator): string[] {
  return requests.map(({ method, userGroupId = "?", effect }) => `${method} ${userGroupId} ${effect}`);
}

/** `userGroupId` → token, as the service has them. */
export function tokensOf({ groups }: Pick<Emulator, "groups">): Record<string, string> {
  return Object.fromEntries([...groups.values()].map(({ userGroupId, token }) => [userGroupId, token]));
}

/** `t0`, `t1` and so on, each with the same values. */
export function many(count: number, values: object = { name: "Tenant" }): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, values]));
}

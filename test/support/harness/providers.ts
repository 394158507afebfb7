/** The providers of one deployment after another, against an emulator. */
import { UserGroupError } from "../../../provider/errors";
import type { Emulator } from "../../../provider/testing";
import { propertiesOf, withoutSecretMarks, type JsonObject } from "../../../provider/values";
import { startProviders, type ProductOptions, type Providers } from "./product";

interface Context extends Providers {
  /** What the user sees. Warnings begin with `warning: `. */
  readonly lines: string[];
  /** The providers of the next deployment. */
  readonly deploy: () => Providers;
}

/** The name of a host that no name server is asked for, because a label has at most 63 characters. */
export const unresolvable = "x".repeat(64);

/** `settings`: beside the address and the API token of the emulator. */
export function contextOf(
  emulator: Emulator,
  { settings, ...options }: Pick<ProductOptions, "clock" | "settings"> = {},
): Context {
  const { baseUrl, apiToken } = emulator;
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const deploy = () => startProviders({ settings: { baseUrl, apiToken, ...settings }, onLine, ...options });
  return { lines, deploy, ...deploy() };
}

/** The properties of a resource as the engine passes them to its provider. */
export function plain(outputs: unknown): JsonObject {
  return propertiesOf(withoutSecretMarks(outputs));
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
export function numbered(count: number, values: object = { name: "Tenant" }): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, values]));
}

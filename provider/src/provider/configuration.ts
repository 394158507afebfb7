/** The stack's configuration, as the SDK hands it to `configure`. */
import type { Configuration } from "../settings";

let kept: Configuration | undefined;

/** Kept synchronously: the SDK doesn't wait for `configure` before it calls other operations. */
export function keepConfiguration(configuration: Configuration): void {
  kept = configuration;
}

/** Reads through to what was kept; without any (a provider that was never configured) nothing is set. */
export const configuration: Configuration = { get: (key) => kept?.get(key) };

/** The stack's configuration, as the SDK hands it to `configure`, and the clients that work by it. */
import { newClient, type Client } from "../client";
import type { Named, Subject } from "../errors";
import { readSettings, type Configuration } from "../settings";

let kept: Configuration | undefined;

/** Kept synchronously: the SDK doesn't wait for `configure` before it calls other operations. */
export function configure({ config }: { config: Configuration }): Promise<void> {
  kept = config;
  return Promise.resolve();
}

/** Reads through to what was kept; in a provider that was never configured nothing is set. */
export const configuration: Configuration = { get: (key) => kept?.get(key) };

/** A client for one operation on one group, with the settings of the group's service. */
export function openClient(operation: Subject["operation"], { userGroupId, connection }: Named): Client {
  return newClient(readSettings(configuration, connection), { operation, userGroupId, connection });
}

/** The connection that inputs name, where it is known. */
export function connectionOf({ connection }: Record<string, unknown>): string | undefined {
  return typeof connection === "string" ? connection : undefined;
}

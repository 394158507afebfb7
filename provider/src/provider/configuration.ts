/** The stack's configuration, as the SDK hands it to `configure`, and the clients that work by it. */
import { addressOf, newClient, type Client } from "../client";
import type { Named, Subject } from "../errors";
import { givenBaseUrl, readSettings, type Configuration, type Settings } from "../settings";

export interface Service {
  readonly settings: Settings;
  /** A client for one operation on one group. */
  readonly client: (operation: Subject["operation"], group: Pick<Named, "userGroupId">) => Client;
}

let kept: Configuration | undefined;

/** Kept synchronously: the SDK doesn't wait for `configure` before it calls other operations. */
export function configure({ config }: { config: Configuration }): Promise<void> {
  kept = config;
  return Promise.resolve();
}

/** Reads through to what was kept; in a provider that was never configured nothing is set. */
export const configuration: Configuration = { get: (key) => kept?.get(key) };

/** One service, with its settings read once. Errors: setting-missing, setting-invalid. */
export function openService({ connection }: Pick<Named, "connection">): Service {
  const settings = readSettings(configuration, connection);
  return {
    settings,
    client: (operation, { userGroupId }) => newClient(settings, { operation, userGroupId, connection }),
  };
}

/** The addresses of groups (see `Client`); none where a preview doesn't know the service. */
export function addressesOf(connection: string | undefined, userGroupIds: readonly string[]): string[] {
  const baseUrl = givenBaseUrl(configuration, connection);
  return baseUrl ? userGroupIds.map((userGroupId) => addressOf(baseUrl, userGroupId)) : [];
}

/** The connection that inputs name, where it is known. */
export function connectionOf({ connection }: Record<string, unknown>): string | undefined {
  return typeof connection === "string" ? connection : undefined;
}

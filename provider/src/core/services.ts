/** The services of the settings: their addresses and clients. */
import { UserGroupError, type Subject } from "../errors";
import { newGroupClient, type GroupClient } from "../service/client";
import {
  readPartialSettings,
  readSettings,
  settingName,
  type SettingOwner,
  type Settings,
} from "../settings/readSettings";
import { normalizedAddress } from "../settings/serviceAddress";
import { isUnknown, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import { keyOf, type GroupKey } from "./deployment/facts";
import type { Deployment } from "./lifecycle";

/** An open service: its settings, and clients for its groups. */
export interface Service {
  readonly settings: Settings;
  readonly connection: string | undefined;
  readonly key: (userGroupId: string) => GroupKey;
  /** A client for one operation on one group. */
  readonly client: (operation: Subject["operation"], userGroupId: string) => GroupClient;
}

/** Errors: setting-missing, setting-invalid. */
export function openService(
  { sources, clock, signal, logger, retryCauses }: Deployment,
  connection?: string,
): Service {
  const settings = readSettings(sources, connection);
  return {
    settings,
    connection,
    key: (userGroupId) => keyOf(connection, userGroupId),
    client: (operation, userGroupId) =>
      newGroupClient(
        { settings, clock, signal, logger, retryCauses },
        { operation, userGroupId, connection, provider: sources.provider },
      ),
  };
}

/** The service of a state. Errors: service-changed, and those of `openService`. `subject`: for messages. */
export function openServiceOf(
  state: { readonly connection?: string | undefined; readonly baseUrl?: string | undefined },
  deployment: Deployment,
  subject: string,
): Service {
  const service = openService(deployment, state.connection);
  const owner = { connection: state.connection, provider: deployment.sources.provider };
  assertSameService(recordedAddress(state), service.settings, owner, subject);
  return service;
}

/** The effect of a change of connection or address on a resource. */
export type AddressChange = "none" | "state-only" | "other-service";

/** Compares the service of a state with the service of new inputs. Error: service-changed. `subject`: for messages. */
export function addressChange(
  olds: JsonObject,
  news: JsonObject,
  { sources }: Deployment,
  subject: string,
): AddressChange {
  if (isUnknown(news["connection"])) return "other-service";
  const [former, connection] = [connectionIn(olds), connectionIn(news)];
  const given = readPartialSettings(sources, connection);
  const recorded = recordedAddress(olds) ?? readPartialSettings(sources, former).baseUrl;
  const isSame = recorded === given.baseUrl || recorded === given.formerBaseUrl;
  if (former !== connection) return isSame && recorded !== undefined ? "state-only" : "other-service";
  if (recorded === undefined || given.baseUrl === undefined || recorded === given.baseUrl) return "none";
  const owner = { connection, provider: sources.provider };
  assertSameService(recorded, { ...given, baseUrl: given.baseUrl }, owner, subject);
  return "state-only";
}

/** The address in a state; none in a state of version 0.1.0. */
function recordedAddress({ baseUrl }: { readonly baseUrl?: unknown }): string | undefined {
  return typeof baseUrl === "string" ? normalizedAddress(baseUrl) : undefined;
}

/**
 * Throws if the settings name another service than the state. A request would reach groups with the same IDs there.
 * `subject`: `read user group "acme"`. Error: service-changed.
 */
function assertSameService(
  recorded: string | undefined,
  { baseUrl, formerBaseUrl }: Pick<Settings, "baseUrl" | "formerBaseUrl">,
  owner: SettingOwner,
  subject: string,
): void {
  if (recorded === undefined || recorded === baseUrl || recorded === formerBaseUrl) return;
  throw new UserGroupError(
    "service-changed",
    `Cannot ${subject}: the state belongs to the service at ${recorded}, but ${settingName("baseUrl", owner)} is ` +
      `${baseUrl}. No request was sent. Set the address to ${recorded}. If the service has moved, set ` +
      `${settingName("formerBaseUrl", owner)} to ${recorded} until every stack is updated.`,
  );
}

/** The service and the account that have the groups of a resource. */
import { createHash } from "node:crypto";
import { UserGroupError } from "../errors";
import { readPartialSettings, readSettings, settingName, type Settings } from "../settings/readSettings";
import { normalizedAddress } from "../settings/serviceAddress";
import { isUnknown, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import type { Deployment } from "./deployment";

/** The service of a state or of inputs. `baseUrl` and `account`: those in the state. */
export interface Location {
  readonly connection?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly account?: string | undefined;
}

/** The settings of a service. `subject`: for messages. Errors: setting-missing, setting-invalid, service-changed. */
export function settingsOf(location: Location, deployment: Deployment, subject: string): Settings {
  const settings = readSettings(deployment.sources, location.connection);
  assertSameService(recordedAddress(location), settings, location.connection, deployment, subject);
  return settings;
}

/**
 * A short digest of the API token. A state has that of the account in which its groups were created or read, so that another
 * account is recognized. It is too short to find the token by it, and a secret output all the same.
 */
export function accountOf({ apiToken }: Pick<Settings, "apiToken">): string {
  return createHash("sha256").update(`pulumi-user-groups ${apiToken}`).digest("hex").slice(0, 8);
}

/** Compares the service of a state with the service of new inputs. Error: service-changed. `subject`: for messages. */
export function addressChange(
  olds: JsonObject,
  news: JsonObject,
  deployment: Deployment,
  subject: string,
): "none" | "state-only" | "other-service" {
  if (isUnknown(news["connection"])) return "other-service";
  const former = connectionIn(olds);
  const connection = connectionIn(news);
  const given = readPartialSettings(deployment.sources, connection);
  const recorded = recordedAddress(olds) ?? readPartialSettings(deployment.sources, former).baseUrl;
  if (former !== connection) {
    const isSame = recorded === given.baseUrl || recorded === given.formerBaseUrl;
    return isSame && recorded !== undefined ? "state-only" : "other-service";
  }
  if (recorded === undefined || given.baseUrl === undefined || recorded === given.baseUrl) return "none";
  assertSameService(recorded, given, connection, deployment, subject);
  return "state-only";
}

/** The address in a state; none in a state of version 0.1.0. */
function recordedAddress({ baseUrl }: { readonly baseUrl?: unknown }): string | undefined {
  return typeof baseUrl === "string" ? normalizedAddress(baseUrl) : undefined;
}

/** Throws if the settings name another service than the state. A request would reach groups with the same IDs there. */
function assertSameService(
  recorded: string | undefined,
  { baseUrl, formerBaseUrl }: ReturnType<typeof readPartialSettings>,
  connection: string | undefined,
  { sources: { provider } }: Deployment,
  subject: string,
): void {
  if (recorded === undefined || recorded === baseUrl || recorded === formerBaseUrl) return;
  const owner = { connection, provider };
  throw new UserGroupError(
    "service-changed",
    `Cannot ${subject}: the state belongs to the service at ${recorded}, but ${settingName("baseUrl", owner)} is ` +
      `${baseUrl}. No request was sent. Set the address to ${recorded}. If the service has moved, set ` +
      `${settingName("formerBaseUrl", owner)} to ${recorded} until every stack is updated.`,
  );
}

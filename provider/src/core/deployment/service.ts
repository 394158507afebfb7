/** The service that has the groups of a resource: its settings, and the address in a state. */
import { UserGroupError } from "../../errors";
import { readPartialSettings, readSettings, settingName, type Settings } from "../../settings/readSettings";
import { normalizedAddress } from "../../settings/serviceAddress";
import { isUnknown, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import type { Deployment } from "./context";

/** The service of a state or of inputs. `baseUrl`: the address in the state. */
export interface Location {
  readonly connection?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The settings of a service. `subject`: for messages. Errors: setting-missing, setting-invalid, service-changed. */
export function settingsOf(location: Location, deployment: Deployment, subject: string): Settings {
  const settings = readSettings(deployment.sources, location.connection);
  assertSameService(recordedAddress(location), settings, location.connection, deployment, subject);
  return settings;
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

/** The address at which diff knows the groups of a state: a service that has moved is at its new one. */
export function addressOf(olds: JsonObject, { sources }: Pick<Deployment, "sources">): string | undefined {
  const recorded = recordedAddress(olds);
  const { baseUrl, formerBaseUrl } = readPartialSettings(sources, connectionIn(olds));
  const isMoved = recorded === undefined || recorded === formerBaseUrl;
  return isMoved ? (baseUrl ?? recorded) : recorded;
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

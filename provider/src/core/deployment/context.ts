/** One deployment: what an adapter passes in, and the contexts in which the operations on resources and groups run, each in its service. */
import pLimit, { type LimitFunction } from "p-limit";
import { toUserGroupError, UserGroupError, type GroupName, type Subject } from "../../errors";
import { GroupClient } from "../../service/client";
import type { Clock } from "../../service/http/clock";
import {
  completeSettings,
  settingName,
  type PartialSettings,
  type Settings,
  type SettingSources,
} from "../../settings/readSettings";
import { getOrAdd, type Resource } from "../../values";
import { warningOf, type Warning, type WarningLine } from "../messages/warnings";
import type { State } from "../state/shapes";
import { Accounts, customerOf, Facts, type Customer } from "./facts";

export interface Logger {
  /** `isProgress`: a later line replaces it, where the engine can. */
  info(line: string, isProgress?: boolean): void;
  warn(line: WarningLine): void;
}

export interface Deployment {
  readonly sources: SettingSources;
  readonly facts: Facts;
  readonly accounts: Accounts;
  /** By service and customer: operations on one customer run one after another. */
  readonly queues: Map<string, LimitFunction>;
  /** The causes of retries, and warnings, that a deployment logs once. */
  readonly logged: Set<string>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** When it aborts, no further request begins. */
  readonly signal: AbortSignal;
}

export function newDeployment() {
  return {
    facts: new Facts(),
    accounts: new Accounts(),
    queues: new Map<string, LimitFunction>(),
    logged: new Set<string>(),
  };
}

/** An operation on one resource. */
export interface ResourceContext extends Deployment {
  readonly resource: Resource;
  readonly settings: Settings;
  readonly connection: string | undefined;
  /** The warnings are logged when the operation has ended. `fields`: those that the warning is about. */
  readonly warn: (warning: Warning, group: GroupName, fields?: readonly string[]) => void;
}

/** An operation on one group of a resource. */
export interface GroupContext extends ResourceContext {
  readonly client: GroupClient;
  readonly customer: Customer;
}

/** `baseUrl`: the address in the resource's state, if it has one. `subject`: for messages. */
export interface Target {
  readonly resource: Resource;
  readonly subject: string;
  readonly connection: string | undefined;
  readonly baseUrl: string | undefined;
  readonly settings: PartialSettings;
}

/** Runs `work` in the service of a state. Errors: setting-missing, setting-invalid, service-changed. */
export async function onResource<Result>(
  target: Target,
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  const { resource, connection, baseUrl } = target;
  const { sources } = deployment;
  const settings = completeSettings(target.settings, sources, connection);
  const isSame = baseUrl === undefined || [settings.baseUrl, settings.formerBaseUrl].includes(baseUrl);
  if (!isSame) throw serviceChanged(target, sources);
  const warned = new Map<Warning, { groups: GroupName[]; fields: Set<string> }>();
  const warn: ResourceContext["warn"] = (warning, group, fields = []) => {
    const about = getOrAdd(warned, warning, () => ({ groups: [], fields: new Set<string>() }));
    about.groups.push(group);
    for (const field of fields) about.fields.add(field);
  };
  try {
    return await work({ ...deployment, resource, settings, connection, warn });
  } finally {
    for (const [warning, { groups, fields }] of warned)
      deployment.logger.warn(warningOf(warning, groups, [...fields]));
  }
}

/**
 * Runs `work` on one group, after all work on its customer, so that no decision depends on a request that is under way. IDs that a service
 * may take for one share a queue: they are equal in Unicode's compatibility form, in lower case and without white space.
 */
export async function onGroup<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const { settings, connection } = context;
  const key = userGroupId.normalize("NFKC").toLowerCase().replace(/\s/g, "");
  const queue = getOrAdd(context.queues, `${settings.baseUrl} ${key}`, () => pLimit(1));
  const customer = customerOf(connection, userGroupId);
  return queue(() => withClient(operation, userGroupId, { ...context, customer }, work));
}

/** Runs a further operation on the group within the same turn of its queue, with a time limit of its own. */
export async function withClient<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: Omit<GroupContext, "client">,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const { connection, sources } = context;
  const subject = { operation, userGroupId, connection, provider: sources.provider };
  try {
    return await work({ ...context, client: new GroupClient(context, subject) });
  } catch (error) {
    throw toUserGroupError(error, subject);
  }
}

/** Compares the service of a state with that of the program. `connection`, `wanted`: the program's. Error: service-changed. */
export function addressChange(
  state: Pick<State, "connection" | "baseUrl">,
  connection: string | undefined,
  settings: { readonly before: PartialSettings; readonly wanted: PartialSettings },
  { sources, subject }: { readonly sources: SettingSources; readonly subject: string },
): "none" | "state-only" | "other-service" {
  const { before, wanted } = settings;
  const address = state.baseUrl ?? before.baseUrl;
  if (state.connection !== connection) {
    const isSame = address === wanted.baseUrl || address === wanted.formerBaseUrl;
    return isSame && address !== undefined ? "state-only" : "other-service";
  }
  if (address === undefined || wanted.baseUrl === undefined || address === wanted.baseUrl) return "none";
  if (address !== wanted.formerBaseUrl)
    throw serviceChanged({ subject, connection, baseUrl: address, settings: wanted }, sources);
  return "state-only";
}

/** The address at which diff knows the groups of a state: a service that has moved is at its new one. Empty: not known. */
export function addressOf(
  state: Pick<State, "baseUrl">,
  { baseUrl, formerBaseUrl }: PartialSettings,
): string {
  const isMoved = state.baseUrl === undefined || state.baseUrl === formerBaseUrl;
  return (isMoved ? (baseUrl ?? state.baseUrl) : state.baseUrl) ?? "";
}

/** The settings name another service than the state. A request would reach groups with the same IDs there. */
function serviceChanged(
  { subject, connection, baseUrl = "", settings }: Omit<Target, "resource">,
  { provider }: SettingSources,
): UserGroupError {
  const owner = { connection, provider };
  return new UserGroupError(
    "service-changed",
    `Cannot ${subject}: the state belongs to the service at ${baseUrl}, but ${settingName("baseUrl", owner)} is ` +
      `${settings.baseUrl}. No request was sent. Set the address to ${baseUrl}. If the service has moved, set ` +
      `${settingName("formerBaseUrl", owner)} to ${baseUrl} until every stack is updated.`,
  );
}

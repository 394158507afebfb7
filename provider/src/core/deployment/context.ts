/** One deployment: what an adapter passes in, and the contexts in which the operations on resources and groups run. */
import pLimit, { type LimitFunction } from "p-limit";
import { toUserGroupError, type GroupName, type Subject } from "../../errors";
import { GroupClient } from "../../service/client";
import type { Clock } from "../../service/http/clock";
import type { Settings, SettingSources } from "../../settings/readSettings";
import { getOrAdd } from "../../values";
import { warningOf, type Warning, type WarningLine } from "../messages/warnings";
import { customerOf, type Customer, type Resource } from "../state/resource";
import { Accounts } from "./accounts";
import { Facts } from "./facts";
import { settingsOf, type Location } from "./service";

export interface Logger {
  /** `isProgress`: a later line replaces it, where the engine can. */
  info(line: string, isProgress?: boolean): void;
  warn(line: WarningLine): void;
}

export interface Deployment {
  readonly sources: SettingSources;
  readonly facts: Facts;
  /** By service and `userGroupId`: operations on one customer run one after another. */
  readonly queues: Map<string, LimitFunction>;
  readonly accounts: Accounts;
  /** The causes of retries, and warnings, that a deployment logs once. */
  readonly logged: Set<string>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** When it aborts, no further request begins. */
  readonly signal: AbortSignal;
  /** Whether the engine runs `pulumi destroy`; undefined: not known. */
  readonly isDestroy: () => boolean | undefined;
}

export function newDeployment() {
  return {
    facts: new Facts(),
    queues: new Map<string, LimitFunction>(),
    accounts: new Accounts(),
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
}

export interface Target {
  readonly resource: Resource;
  /** For messages. */
  readonly subject: string;
  readonly location: Location;
}

/** Runs `work` in the service of a state. Errors: see `settingsOf`. */
export async function onResource<Result>(
  { resource, subject, location }: Target,
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  const settings = settingsOf(location, deployment, subject);
  const { connection } = location;
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

/** Runs `work` on one group, after all work on its customer, so that no decision depends on a request that is under way. */
export async function onGroup<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const queue = getOrAdd(context.queues, `${context.settings.baseUrl} ${userGroupId}`, () => pLimit(1));
  return queue(() => withClient(operation, userGroupId, context, work));
}

/** Runs a further operation on the group within the same turn of its queue, with a time limit of its own. */
export async function withClient<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const subject = subjectOf(operation, userGroupId, context);
  try {
    return await work({ ...context, client: new GroupClient(context, subject) });
  } catch (error) {
    throw toUserGroupError(error, subject);
  }
}

export function subjectOf(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
): Subject {
  return { operation, userGroupId, connection: context.connection, provider: context.sources.provider };
}

/** The customer of a group in the service of the context. */
export function customerIn({ connection }: ResourceContext, { userGroupId }: GroupName): Customer {
  return customerOf(connection, userGroupId);
}

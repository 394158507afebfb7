/** One deployment: what an adapter passes in, and the contexts in which the operations on resources and groups run. */
import pLimit, { type LimitFunction } from "p-limit";
import { toUserGroupError, type GroupName, type Subject } from "../errors";
import { GroupClient } from "../service/client";
import type { Clock } from "../service/http/clock";
import type { SettingSources, Settings } from "../settings/readSettings";
import { getOrAdd } from "../values";
import { Claims, keyOf, type GroupKey, type Resource } from "./claims";
import { warningOf, type Warning } from "./messages";
import type { WarningLine } from "./previewWarnings";
import { accountOf, settingsOf, type Location } from "./services";
import { StrangeAccounts } from "./strangeAccount";
import { withoutSuffix } from "./suffix";

export interface Logger {
  /** `isProgress`: a later line replaces it, where the engine can. */
  info(line: string, isProgress?: boolean): void;
  warn(line: WarningLine): void;
}

export interface Deployment {
  readonly sources: SettingSources;
  readonly claims: Claims;
  /** By `userGroupId` without a suffix: an ID such as `acme~2` may be that of a customer, or of a changed group of `acme`. */
  readonly queues: Map<string, LimitFunction>;
  readonly strangeAccounts: StrangeAccounts;
  /** See service/client.ts. */
  readonly retryCauses: Set<string>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** When it aborts, no further request begins. */
  readonly signal: AbortSignal;
  /** Whether the engine runs `pulumi destroy`; undefined: not known. */
  readonly isDestroy: () => boolean | undefined;
}

export const pauseMilliseconds = 200;

export function newDeployment(clock: Clock, claims?: Claims) {
  const pause = (signal: AbortSignal) => clock.sleep(pauseMilliseconds, signal).catch(() => undefined);
  return {
    claims: claims ?? new Claims(pause),
    queues: new Map<string, LimitFunction>(),
    strangeAccounts: new StrangeAccounts(pause),
    retryCauses: new Set<string>(),
  };
}

/** An operation on one resource. */
export interface ResourceContext extends Deployment {
  readonly resource: Resource;
  readonly settings: Settings;
  readonly connection: string | undefined;
  /** Whether the API token is the one with which the state was written. */
  readonly account: "same" | "other" | "unknown";
  /** The warnings are logged when the operation has ended. */
  readonly warn: (warning: Warning, group: GroupName) => void;
}

/** An operation on one group of a resource. */
export interface GroupContext extends ResourceContext {
  readonly client: GroupClient;
}

/** Runs `work` in the service of a state. `subject`: for messages. Errors: see `settingsOf`. */
export async function onResource<Result>(
  {
    resource,
    subject,
    location,
  }: { readonly resource: Resource; readonly subject: string; readonly location: Location },
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  const settings = settingsOf(location, deployment, subject);
  const { connection } = location;
  const collected = new Map<Warning, GroupName[]>();
  const warn = (warning: Warning, group: GroupName) => {
    getOrAdd(collected, warning, () => []).push(group);
  };
  const account = accountChange(location.account, settings);
  try {
    return await work({ ...deployment, resource, settings, connection, account, warn });
  } finally {
    for (const [warning, groups] of collected) deployment.logger.warn(warningOf(warning, groups));
  }
}

function accountChange(recorded: string | undefined, settings: Settings): ResourceContext["account"] {
  if (recorded === undefined) return "unknown";
  return recorded === accountOf(settings) ? "same" : "other";
}

/** Runs `work` on one group, after all work on its ID, so that no resource adopts a group while another one deletes it. */
export async function onGroup<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const subject = subjectOf(operation, userGroupId, context);
  const client = new GroupClient(context, subject);
  const queue = getOrAdd(context.queues, withoutSuffix(userGroupId), () => pLimit(1));
  try {
    return await queue(() => work({ ...context, client }));
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

/** The key of a group in the service of the context. */
export function keyIn(
  { connection }: ResourceContext,
  { providedId }: { readonly providedId: string },
): GroupKey {
  return keyOf(connection, providedId);
}

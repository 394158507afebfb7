/** One deployment: what an adapter passes in, and the contexts in which the operations on resources and groups run. */
import pLimit, { type LimitFunction } from "p-limit";
import { errorOf, toUserGroupError, type GroupName, type Subject } from "../../errors";
import { message } from "../../messages/message";
import { GroupClient } from "../../service/client";
import type { Clock } from "../../service/http/clock";
import {
  completeSettings,
  longestTimeoutSeconds,
  readPartialSettings,
  settingName,
  type PartialSettings,
  type Settings,
  type SettingSources,
} from "../../settings/readSettings";
import { getOrAdd, type Resource } from "../../values";
import { derivedEnd } from "../arguments";
import { warningOf, type Warning, type WarningLine } from "../messages/warnings";

import { Credentials } from "./credentials";
import { Facts } from "./facts";
import { KeptGroups } from "./keptGroups";

export interface Logger {
  /** `isProgress`: a later line replaces it, where the engine can. */
  info(line: string, isProgress?: boolean): void;
  warn(line: WarningLine): void;
}

export interface Deployment extends ReturnType<typeof newDeployment> {
  readonly logger: Logger;
  readonly clock: Clock;
  /** When it aborts, no further request begins. */
  readonly signal: AbortSignal;
  /** The seconds of an operation, from the option `customTimeouts`, instead of the setting `timeout`. */
  readonly timeLimit?: number | undefined;
}

/** What a deployment knows. The settings of its one service are each read once, when they are first needed. */
export function newDeployment(sources: SettingSources) {
  const partial = once(() => readPartialSettings(sources));
  return {
    settings: {
      /** The name of the explicit provider that has the settings. */
      provider: sources.provider,
      /** For check, diff and previews. Error: setting-invalid. */
      partial,
      /** For requests. Errors: setting-missing, setting-invalid. */
      complete: once(() => completeSettings(partial(), sources)),
    },
    facts: new Facts(),
    credentials: new Credentials(),
    /** By customer: operations on one customer run one after another. */
    queues: new Map<string, LimitFunction>(),
    /** The causes of retries, and warnings, that a deployment logs once. */
    logged: new Set<string>(),
    kept: new KeptGroups(),
  };
}

/** An exception isn't kept: the next call tries again. */
function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** An operation on one resource. */
export interface ResourceContext extends Omit<Deployment, "settings"> {
  readonly resource: Resource;
  /** As messages name the operation, such as `update user group "acme"`. */
  readonly subject: string;
  readonly settings: Settings;
  readonly provider: string | undefined;
  /** The warnings are logged when the operation has ended. `fields`: those that the warning is about. */
  readonly warn: (warning: Warning, group: GroupName, fields?: readonly string[]) => void;
}

/** An operation on one group of a resource. */
export interface GroupContext extends ResourceContext {
  readonly client: GroupClient;
  readonly userGroupId: string;
}

/** Runs `work` in the service of a state. `baseUrl`: its address there. Errors: setting-missing, setting-invalid, service-changed. */
export async function inService<Result>(
  target: { readonly resource: Resource; readonly subject: string; readonly baseUrl: string | undefined },
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  const { resource, subject, baseUrl } = target;
  const { provider, complete } = deployment.settings;
  let settings = complete();
  const { timeLimit } = deployment;
  if (timeLimit) settings = { ...settings, timeout: Math.min(timeLimit, longestTimeoutSeconds) };
  if (baseUrl !== undefined) addressChange(baseUrl, subject, settings, provider);
  const warned = new Map<Warning, { groups: GroupName[]; fields: Set<string> }>();
  const warn: ResourceContext["warn"] = (warning, group, fields = []) => {
    const about = getOrAdd(warned, warning, () => ({ groups: [], fields: new Set<string>() }));
    about.groups.push(group);
    for (const field of fields) about.fields.add(field);
  };
  try {
    return await work({ ...deployment, resource, subject, settings, provider, warn });
  } finally {
    for (const [warning, { groups, fields }] of warned) {
      if (warning === "kept") deployment.kept.note(groups);
      else deployment.logger.warn(warningOf(warning, groups, [...fields]));
    }
  }
}

/**
 * Runs `work` on one group, after all work on its customer, so that no decision depends on a request that is under way. IDs that a service
 * may take for one share a queue: they are equal in Unicode's compatibility form, in lower case and without white space. So do the IDs that
 * `overlap` derives from a customer's.
 */
export async function inTurn<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  context: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const plainId = userGroupId.replace(derivedEnd, "");
  const key = plainId.normalize("NFKC").toLowerCase().replace(/\s/g, "");
  const queue = getOrAdd(context.queues, key, () => pLimit(1));
  return queue(() => withClient(operation, userGroupId, { ...context, userGroupId }, work));
}

/** Runs a further operation on the group within the same turn of its queue, with a time limit of its own. `named`: the ID in messages. */
export async function withClient<Result>(
  operation: Subject["operation"],
  named: string,
  context: Omit<GroupContext, "client">,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const subject = { operation, userGroupId: named, provider: context.provider };
  try {
    return await work({ ...context, client: new GroupClient(context, subject) });
  } catch (error) {
    throw toUserGroupError(error, subject);
  }
}

/**
 * Waits until the program declares nothing more for a moment: before a `UserGroups` deletes, because a program that runs with --skip-preview,
 * as by the Automation API, has no preview that could refuse a move; and before a first creation, because a state may show other credentials.
 */
export async function untilDeclared({
  clock,
  facts,
  signal,
}: Pick<Deployment, "clock" | "facts" | "signal">): Promise<void> {
  for (let rounds = 0; rounds < mostRounds; rounds += 1) {
    const before = facts.declarationCount;
    await clock.sleep(quietMilliseconds, signal).catch(() => undefined);
    if (facts.declarationCount === before) return;
  }
}

export const quietMilliseconds = 200;
const mostRounds = 25;

/**
 * Compares the service of a state with that of the settings. "moved": the service has another address now, and the state the former one.
 * Error: service-changed.
 */
export function addressChange(
  before: string | undefined,
  subject: string,
  settings: PartialSettings,
  provider: string | undefined,
): "none" | "moved" {
  const { baseUrl, formerBaseUrl } = settings;
  if (before === undefined || baseUrl === undefined || before === baseUrl) return "none";
  if (before === formerBaseUrl) return "moved";
  // A request would reach groups with the same IDs in another service.
  const baseUrlSetting = settingName("baseUrl", { provider });
  const former = settingName("formerBaseUrl", { provider });
  throw errorOf(
    message("other-address", { subject, before, baseUrlSetting, baseUrl, formerBaseUrl: former }),
  );
}

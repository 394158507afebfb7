import pLimit from "p-limit";
import { namesOf, toUserGroupError, type GroupName, type Subject } from "../../errors";
import { GroupClient } from "../../service/client";
import type { Settings } from "../../settings/readSettings";
import { getOrAdd } from "../../values";
import { keyOf, type GroupKey } from "../deployment/facts";
import type { Deployment } from "../lifecycle";
import { settingsOf, type Location } from "../services";
import { warnings, type Warning } from "./warnings";

export interface ResourceContext extends Deployment {
  readonly settings: Settings;
  readonly connection: string | undefined;
  /** The warnings are logged when the operation has ended. */
  readonly warn: (warning: Warning, group: GroupName) => void;
}

export interface GroupContext extends ResourceContext {
  readonly key: GroupKey;
  readonly client: GroupClient;
}

/** Runs `work` in the service of a state. `subject`: for messages. Errors: see `settingsOf`. */
export async function onResource<Result>(
  subject: string,
  location: Location,
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  const settings = settingsOf(location, deployment, subject);
  const { connection } = location;
  const collected = new Map<Warning, GroupName[]>();
  const warn = (warning: Warning, group: GroupName) => {
    getOrAdd(collected, warning, () => []).push(group);
  };
  try {
    return await work({ ...deployment, settings, connection, warn });
  } finally {
    for (const [warning, groups] of collected)
      deployment.logger.warn(`${warnings[warning]}: ${namesOf(groups)}.`);
  }
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
  const key = keyOf(context.connection, userGroupId);
  const queue = getOrAdd(context.queues, userGroupId, () => pLimit(1));
  try {
    return await queue(() => work({ ...context, key, client }));
  } catch (error) {
    throw toUserGroupError(error, subject);
  }
}

export function subjectOf(operation: Subject["operation"], userGroupId: string, context: ResourceContext) {
  return { operation, userGroupId, connection: context.connection, provider: context.sources.provider };
}

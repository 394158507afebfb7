/** The context of an operation on one group. */
import { toUserGroupError, type Subject } from "../../errors";
import type { GroupClient } from "../../service/client";
import type { Settings } from "../../settings/readSettings";
import type { GroupKey } from "../deployment/facts";
import type { Deployment } from "../lifecycle";
import type { Service } from "../services";
import { RetainedGroupError } from "./errors";
import type { Warn } from "./warnings";

export interface GroupContext {
  readonly deployment: Deployment;
  readonly service: Service;
  readonly client: GroupClient;
  readonly key: GroupKey;
  readonly settings: Settings;
  readonly warn: Warn;
}

/** A deployment with warnings that are collected for all groups of a resource. */
export interface ResourceContext {
  readonly deployment: Deployment;
  readonly service: Service;
  readonly warn: Warn;
}

/**
 * Runs `work` on one group, after the work on it that has begun. Errors other than UserGroupError and RetainedGroupError
 * become `unexpected`.
 */
export async function onGroup<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  { deployment, service, warn }: ResourceContext,
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const client = service.client(operation, userGroupId);
  const key = service.key(userGroupId);
  const context = { deployment, service, client, key, settings: service.settings, warn };
  try {
    return await deployment.queue.run(userGroupId, () => work(context));
  } catch (error) {
    throw error instanceof RetainedGroupError ? error : toUserGroupError(error, client.subject);
  }
}

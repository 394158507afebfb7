/** Creates the context of an operation on one group, and names the group in unexpected errors. */
import { toUserGroupError, type Subject } from "../errors";
import { RetainedGroupError } from "./groupErrors";
import type { GroupContext } from "./groupOperations";
import type { Dependencies } from "./lifecycle";
import type { Service } from "./services";
import type { Warn } from "./warnings";

/**
 * Runs `work` on one group, after the work on it that has begun. Errors other than UserGroupError and RetainedGroupError
 * become `unexpected`.
 */
export async function onGroup<Result>(
  operation: Subject["operation"],
  userGroupId: string,
  { client, key, settings }: Service,
  { tracker, warn }: Pick<Dependencies, "tracker"> & { readonly warn: Warn },
  work: (context: GroupContext) => Promise<Result>,
): Promise<Result> {
  const context = {
    client: client(operation, userGroupId),
    key: key(userGroupId),
    tracker,
    changes: settings.changes,
    warn,
  };
  try {
    return await tracker.inTurn(context.key, () => work(context));
  } catch (error) {
    throw error instanceof RetainedGroupError ? error : toUserGroupError(error, context.client.subject);
  }
}

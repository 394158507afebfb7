/** Deletes a resource with its groups. */
import { firstFew } from "../../errors";
import type { JsonObject } from "../../values";
import { accountOf, proveAccount, warnOfUnchecked } from "../deployment/account";
import type { DeleteDecision } from "../deployment/deleteTable";
import { onGroup, onResource, type Deployment, type ResourceContext } from "../deployment/context";
import { assertDeletable, deleteCustomer } from "../group/deleteGroup";
import { guardedDeletion, limitRemedies } from "../messages/groupErrors";
import type { Resource } from "../state/resource";
import { overlapOf } from "../state/formerGroups";
import type { Shape, State } from "../state/shapes";
import type { StoredGroup } from "../state/storedGroup";
import { eachGroup } from "./eachGroup";
import { isComplete, onlyFailure, unrecordedFailure } from "./partialFailure";
import { assertWithinLimit } from "./plan";

/** A request about a resource that has a state. */
export interface StateRequest {
  readonly resource: Resource;
  readonly id: string;
  readonly state: JsonObject;
}

export async function deleteResource(
  shape: Shape,
  { resource, id, state }: StateRequest,
  deployment: Deployment,
): Promise<void> {
  const former = shape.parseState(id, state);
  const subject = `delete ${shape.subject(id)}`;
  await onResource({ resource, subject, location: former }, deployment, async (context) => {
    await deleteGroups(shape, former, subject, context).catch((error: unknown) => {
      // It failed before it could prove the account in which this command may have created groups.
      const { baseUrl: address } = context.settings;
      warnOfUnchecked({ address, account: former.account, today: accountOf(context.settings) }, context);
      throw error;
    });
  });
}

/** Decides on all groups before the first request. */
async function deleteGroups(
  shape: Shape,
  state: State,
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const groups = [...state.groups.values()];
  const departure = { isUpdate: false, retains: false, overlap: overlapOf(state, context.clock.date()) };
  const decided = groups.map((stored) => ({ stored, ...assertDeletable(stored, departure, context) }));
  const deleted = decided.filter(({ current }) => current.do === "delete").map(({ stored }) => stored);
  const retains = isRetaining(state, deleted, context);
  const requested = decided
    .filter(({ current, former }) => [current, ...former.map(({ decision }) => decision)].some(needsProof))
    .map(({ stored }) => stored);
  if (requested.length > 0) await proveAccount({ ...state, groups: requested }, subject, context);
  if (!shape.isOne && deleted.length > 1 && !retains)
    context.logger.info(
      `user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`,
    );
  const failures = await eachGroup(groups, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, (one) =>
      deleteCustomer(stored, { ...departure, retains }, one),
    ),
  );
  if (isComplete(failures)) return;
  throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, "delete", groups.length);
}

/** In another account, a new group under the ID of this one proves nothing. */
function needsProof({ do: action, row }: DeleteDecision): boolean {
  return action === "delete" || action === "restore" || row === "replaced by a new group";
}

/**
 * `removed` and `deletionLimit` also hold if the whole state goes: those of the program, if it has the resource, so that it is replaced;
 * else those of the state. Only `pulumi destroy` ignores them. Where it can't be seen whether it is one, a deletion that they would limit
 * fails. Error: deletion-limit.
 */
function isRetaining(
  state: State,
  deleted: readonly StoredGroup[],
  { facts, resource, isDestroy }: ResourceContext,
): boolean {
  const declared = facts.guardsOf(resource);
  const { removed, deletionLimit } = declared ?? state;
  // A destroy declares nothing.
  const destroys = facts.declarations > 0 ? false : isDestroy();
  if (destroys === true || deleted.length === 0) return false;
  const retains = removed === "retain";
  const isLimited = typeof deletionLimit === "number" && deleted.length > deletionLimit;
  if (destroys === undefined && (retains || isLimited)) throw guardedDeletion(deleted);
  if (!retains)
    assertWithinLimit(deleted, deletionLimit, limitRemedies[declared ? "replacement" : "resource"]);
  return retains;
}

/** Deletes a resource with its groups. */
import { firstFew } from "../errors";
import { keyOf } from "./claims";
import type { Deletion } from "./decisions";
import { onGroup, onResource, type Deployment, type ResourceContext } from "./deployment";
import type { StoredGroup } from "./drift";
import { eachGroup } from "./eachGroup";
import { decide, deleteGroup } from "./groupDeletion";
import type { StateRequest } from "./lifecycle";
import { isComplete, onlyFailure, unrecordedFailure } from "./partialFailure";
import { assertWithinLimit } from "./plan";
import { retained } from "./previewWarnings";
import type { Shape, State } from "./shapes";

export async function deleteResource(
  shape: Shape,
  { resource, id, state }: StateRequest,
  deployment: Deployment,
): Promise<void> {
  const former = shape.parseState(id, state);
  const target = { resource, subject: `delete ${shape.subject(id)}`, location: former };
  await onResource(target, deployment, (context) => deleteGroups(shape, former, context));
}

async function deleteGroups(shape: Shape, state: State, context: ResourceContext): Promise<void> {
  const { claims, isDestroy, logger } = context;
  const groups = [...state.groups.values()];
  const deleted = (isDestroy() ?? !claims.hasProgram) ? groups : withinGuards(groups, state, context);
  if (!shape.isOne && deleted.length > 1)
    logger.info(`user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`);
  const failures = await eachGroup(deleted, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, (one) => deleteGroup(stored, one)),
  );
  if (isComplete(failures)) return;
  throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, "delete", deleted.length);
}

/** In an update, `removed` and `deletionLimit` of a state also hold if the whole resource goes. Error: deletion-limit. */
function withinGuards(
  groups: readonly StoredGroup[],
  state: State,
  context: ResourceContext,
): readonly StoredGroup[] {
  const deleted = groups.filter((stored) => isDeletion(decide(stored, context)));
  if (state.removed !== "retain") {
    assertWithinLimit(deleted, limitOf(state, deleted, context), limitRemedy);
    return groups;
  }
  const names = deleted.map((stored) => ({ ...stored, userGroupId: stored.providedId }));
  if (deleted.length > 0) context.logger.warn(retained(names));
  return groups.filter((stored) => !deleted.includes(stored));
}

/** Whether the group is deleted now, or once applications have the token of another one. */
function isDeletion(deletion: Deletion): boolean {
  return deletion.do === "delete" || (deletion.do === "refuse" && deletion.because === "renewed");
}

const limitRemedy =
  "No group was deleted. The resource's state has this limit. To delete the groups, raise deletionLimit in the resource that declares " +
  "them now; if none does, restore this resource, raise its deletionLimit in an update, then remove it.";

/** A resource in whose place the groups are declared now may raise the limit. */
function limitOf(
  { deletionLimit }: State,
  deleted: readonly StoredGroup[],
  { claims, connection }: ResourceContext,
): number | undefined {
  if (deletionLimit === undefined) return undefined;
  const declared = deleted.map(
    ({ userGroupId }) => claims.declaredLimit(keyOf(connection, userGroupId)) ?? 0,
  );
  return Math.max(deletionLimit, ...declared);
}

/** The operations on one user group, whichever resource declares it. They record nothing themselves. */
import { UserGroupError } from "../errors";
import type { GetOrCreateResult, GroupClient } from "../service/client";
import type { GroupRequest } from "../service/contract";
import type { Settings } from "../settings/readSettings";
import { isEqual } from "../values";
import { changedFields } from "./changes";
import type { DeploymentTracker, GroupKey } from "./deploymentTracker";
import {
  asSent,
  differences,
  heldAsAdopted,
  heldAsRead,
  heldAsSent,
  isReturnedAsBefore,
  type Group,
  type HeldGroup,
} from "./group";
import {
  adoptionNotSafe,
  assertAdoptable,
  lookupNotSafe,
  mappingConflict,
  noSuchGroup,
  replacementRetained,
  updateNotAllowed,
  updateNotApplied,
} from "./groupErrors";
import type { Warn } from "./warnings";

/** What an operation on one group works with. */
export interface GroupContext {
  readonly client: GroupClient;
  readonly key: GroupKey;
  readonly tracker: DeploymentTracker;
  readonly changes: Settings["changes"];
  readonly warn: Warn;
}

/** Creates the group, or adopts the one that exists. If this fails, nothing must be recorded. */
export async function createGroup(group: Group, adopt: boolean, context: GroupContext): Promise<HeldGroup> {
  const { client, key, tracker, changes } = context;
  if (changes === "update" && !adopt) throw adoptionNotSafe(client.subject);
  const result = await client.getOrCreate(group);
  if (result.isNew) return created(group, result, context);
  assertAdoptable(result, adopt, client.subject);
  const undeleted = tracker.undeleted(key);
  if (undeleted?.token === result.group.token) throw replacementRetained(client.subject, undeleted, result);
  const isOther = undeleted !== undefined || tracker.hasOtherValues(key, group);
  if (changes === "replace" && isOther) return recreate(group, result, context);
  return adopted(group, result, context);
}

/** Reads by get-or-create, the service's only read: a group that was gone is created again. */
export async function readGroup(
  held: HeldGroup,
  { client, key, tracker, warn }: GroupContext,
): Promise<HeldGroup> {
  return tracker.readInTurn(key, held, async () => {
    const result = await client.getOrCreate(asSent(held));
    if (result.isNew) warn("created again", client.subject);
    return heldAsRead(held, result);
  });
}

/**
 * Looks up a group that the stack doesn't manage. Its state is what the service returns. `isComplete`: mapping and
 * properties are given. Errors: no-such-group, if it must exist; then the group that the lookup created is deleted again.
 */
export async function lookUpGroup(
  group: Group,
  { isComplete, mustExist }: { isComplete: boolean; mustExist: boolean },
  { client, key, tracker, changes, warn }: GroupContext,
): Promise<HeldGroup> {
  if (changes === "update" && !isComplete) throw lookupNotSafe(client.subject);
  const result = await client.getOrCreate(group);
  if (result.isNew && mustExist) {
    await client.delete({ ...group, token: result.group.token });
    throw noSuchGroup(client.subject);
  }
  tracker.noteLookedUp(key);
  if (result.isNew) warn("created again", client.subject);
  return { ...heldAsAdopted(group, result.group), adopted: !result.isNew };
}

/** Updates by get-or-create, for services that are known to do so. Fails if the response shows that it didn't. */
export async function updateGroup(held: HeldGroup, group: Group, context: GroupContext): Promise<HeldGroup> {
  const { client, key, tracker, changes, warn } = context;
  if (changes === "replace") throw updateNotAllowed(client.subject);
  const result = await client.getOrCreate(group);
  const ignored = unappliedFields(held, group, result);
  if (ignored.length > 0) throw updateNotApplied(client.subject, ignored);
  if (result.isNew) warn("created again", client.subject);
  else if (!isEqual(held.mapping, group.mapping)) warn("mapping not verified", client.subject);
  tracker.noteHeld(key, group.mapping, true);
  return heldAsSent(group, result.group, held.adopted && !result.isNew);
}

/**
 * Deletes the group. A refusal may mean that it is gone: deleted by an earlier attempt whose response was lost, or by
 * somebody else. Get-or-create tells: if it creates the group, the group was gone, and is deleted again. Otherwise the
 * refusal is the error, unless the group is to be created again: then it is deleted whatever token it has, because an
 * earlier run that was killed may have created it already.
 */
export async function deleteGroup(
  held: HeldGroup,
  context: GroupContext,
  isCreatedAgain = context.tracker.isReplaced(context.key),
): Promise<void> {
  const { client, key, tracker } = context;
  if (!isCreatedAgain && tracker.isHeldElsewhere(key)) {
    keepGroup(held, context);
    return;
  }
  try {
    await client.delete(held);
  } catch (error) {
    const found = mayBeGone(error) ? await probe(asSent(held), client) : undefined;
    if (!found || !(found.isNew || isCreatedAgain)) throw error;
    await client.delete({ ...held, token: found.group.token });
  }
  tracker.noteDeleted(key);
}

/** Another resource holds the group now. Error: mapping-conflict, if it may claim a mapping that the service doesn't have. */
function keepGroup(held: HeldGroup, { client, key, tracker, changes, warn }: GroupContext): void {
  if (changes === "replace" && tracker.isMappingInDoubt(key, held)) throw mappingConflict(client.subject);
  warn("kept", client.subject);
}

async function recreate(group: Group, { group: { token } }: GetOrCreateResult, context: GroupContext) {
  const { client, tracker, key, warn } = context;
  await client.delete({ ...group, token });
  tracker.noteDeleted(key);
  const result = await client.getOrCreate(group);
  if (!result.isNew && !result.isPossiblyApplied) return adopted(group, result, context);
  warn("recreated", client.subject);
  return created(group, result, context);
}

function created(
  group: Group,
  result: GetOrCreateResult,
  { client, key, tracker, warn }: GroupContext,
): HeldGroup {
  tracker.noteHeld(key, group.mapping, true);
  const held = heldAsSent(group, result.group, false);
  if (held.shown) warn("stored with other values", client.subject);
  return held;
}

/** A group that an attempt of this operation may have created counts as created by it, if its values are the program's. */
function adopted(group: Group, result: GetOrCreateResult, context: GroupContext): HeldGroup {
  const { client, key, tracker, changes, warn } = context;
  const isOther = Object.keys(differences(group, result.group)).length > 0;
  const isPossiblyOurs = result.isPossiblyApplied && !isOther;
  tracker.noteHeld(key, group.mapping, changes === "update");
  warn(isPossiblyOurs ? "possibly created" : "adopted", client.subject);
  if (changes === "update") return heldAsSent(group, result.group, !isPossiblyOurs);
  if (isOther) warn("adopted with other values", client.subject);
  return { ...heldAsAdopted(group, result.group), adopted: !isPossiblyOurs };
}

/** The fields that the service returns as it did before, although they were to change. */
function unappliedFields(held: HeldGroup, group: Group, { group: returned }: GetOrCreateResult): string[] {
  const other = differences(group, returned);
  return changedFields(["name", "properties"], held, group).filter(
    (field) => field in other && isReturnedAsBefore(field, held, returned),
  );
}

/** The group, found or created, or undefined if that fails too. */
async function probe(group: GroupRequest, client: GroupClient): Promise<GetOrCreateResult | undefined> {
  try {
    return await client.getOrCreate(group);
  } catch (error) {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  }
}

function mayBeGone(error: unknown): boolean {
  return error instanceof UserGroupError && (error.code === "service-refused" || error.code === "not-found");
}

/** The operations on one user group, for both resources. They return the new state and record nothing themselves. */
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
  storedAsAdopted,
  storedAsRead,
  storedAsSent,
  isReturnedAsBefore,
  type Group,
  type StoredGroup,
} from "./storedGroup";
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

/** The dependencies of an operation on one group. */
export interface GroupContext {
  readonly client: GroupClient;
  readonly key: GroupKey;
  readonly tracker: DeploymentTracker;
  readonly changes: Settings["changes"];
  readonly warn: Warn;
}

/** Creates the group, or adopts the existing one. After a failure, nothing must be recorded. */
export async function createGroup(group: Group, adopt: boolean, context: GroupContext): Promise<StoredGroup> {
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

/** Reads by get-or-create, the service's only read. It creates a missing group again. */
export async function readGroup(
  stored: StoredGroup,
  { client, key, tracker, warn }: GroupContext,
): Promise<StoredGroup> {
  return tracker.read(key, stored, async () => {
    const result = await client.getOrCreate(asSent(stored));
    if (result.isNew) warn("created again", client.subject);
    return storedAsRead(stored, result);
  });
}

/**
 * Looks up a group that the stack doesn't manage. The state has the values that the service returns. `isComplete`: the
 * group has mapping and properties. Error: no-such-group, if `mustExist`; the group that the lookup created is deleted.
 */
export async function lookUpGroup(
  group: Group,
  { isComplete, mustExist }: { isComplete: boolean; mustExist: boolean },
  { client, key, tracker, changes, warn }: GroupContext,
): Promise<StoredGroup> {
  if (changes === "update" && !isComplete) throw lookupNotSafe(client.subject);
  const result = await client.getOrCreate(group);
  if (result.isNew && mustExist) {
    await client.delete({ ...group, token: result.group.token });
    throw noSuchGroup(client.subject);
  }
  tracker.noteLookedUp(key);
  if (result.isNew) warn("created again", client.subject);
  return { ...storedAsAdopted(group, result.group), adopted: !result.isNew };
}

/** Updates by get-or-create, for services that support it. Error: update-not-applied, if the response has the old values. */
export async function updateGroup(
  stored: StoredGroup,
  group: Group,
  context: GroupContext,
): Promise<StoredGroup> {
  const { client, key, tracker, changes, warn } = context;
  if (changes === "replace") throw updateNotAllowed(client.subject);
  const result = await client.getOrCreate(group);
  const ignored = unappliedFields(stored, group, result);
  if (ignored.length > 0) throw updateNotApplied(client.subject, ignored);
  if (result.isNew) warn("created again", client.subject);
  else if (!isEqual(stored.mapping, group.mapping)) warn("mapping not verified", client.subject);
  tracker.noteHolder(key, group.mapping, true);
  return storedAsSent(group, result.group, stored.adopted && !result.isNew);
}

/**
 * Deletes the group. A refusal may mean that the group doesn't exist any more: an earlier attempt whose response was lost,
 * or somebody else, deleted it. Get-or-create shows that: if it creates the group, the group didn't exist, and the new one
 * is deleted. Otherwise the refusal is the error. But if the group is going to be created again, it is deleted with any
 * token, because an earlier run that was killed may have created it already.
 */
export async function deleteGroup(
  stored: StoredGroup,
  context: GroupContext,
  isCreatedAgain = context.tracker.isReplaced(context.key),
): Promise<void> {
  const { client, key, tracker } = context;
  if (!isCreatedAgain && tracker.isUsedElsewhere(key)) {
    keepGroup(stored, context);
    return;
  }
  try {
    await client.delete(stored);
  } catch (error) {
    const found = mayBeGone(error) ? await probe(asSent(stored), client) : undefined;
    if (!found || !(found.isNew || isCreatedAgain)) throw error;
    await client.delete({ ...stored, token: found.group.token });
  }
  tracker.noteDeleted(key);
}

/** Another resource uses the group. Error: mapping-conflict, if its state may have a mapping that the service doesn't have. */
function keepGroup(stored: StoredGroup, { client, key, tracker, changes, warn }: GroupContext): void {
  if (changes === "replace" && tracker.isMappingInDoubt(key, stored)) throw mappingConflict(client.subject);
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
): StoredGroup {
  tracker.noteHolder(key, group.mapping, true);
  const stored = storedAsSent(group, result.group, false);
  if (stored.shown) warn("stored with other values", client.subject);
  return stored;
}

/** If a possibly applied attempt may have created the group, and it has the program's values, it counts as created. */
function adopted(group: Group, result: GetOrCreateResult, context: GroupContext): StoredGroup {
  const { client, key, tracker, changes, warn } = context;
  const isOther = Object.keys(differences(group, result.group)).length > 0;
  const isPossiblyOurs = result.isPossiblyApplied && !isOther;
  tracker.noteHolder(key, group.mapping, changes === "update");
  warn(isPossiblyOurs ? "possibly created" : "adopted", client.subject);
  if (changes === "update") return storedAsSent(group, result.group, !isPossiblyOurs);
  if (isOther) warn("adopted with other values", client.subject);
  return { ...storedAsAdopted(group, result.group), adopted: !isPossiblyOurs };
}

/** The changed fields that the service still returns with their former values. */
function unappliedFields(
  stored: StoredGroup,
  group: Group,
  { group: returned }: GetOrCreateResult,
): string[] {
  const other = differences(group, returned);
  return changedFields(["name", "properties"], stored, group).filter(
    (field) => field in other && isReturnedAsBefore(field, stored, returned),
  );
}

/** The existing or created group; undefined if this request fails, too. */
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

/** The operations on one user group, for both resources. They return the new state, and store nothing themselves. */
import { UserGroupError } from "../../errors";
import type { GetOrCreateResult, GroupClient } from "../../service/client";
import type { GroupRequest } from "../../service/contract";
import { isEqual } from "../../values";
import { changedFields } from "../changes";
import * as decisions from "../deployment/decisions";
import type { DeletionRequest } from "../deployment/decisions";
import { keyOf } from "../deployment/facts";
import type { GroupContext, ResourceContext } from "./context";
import * as errors from "./errors";
import * as recorded from "./recordedGroup";
import type { Group, RecordedGroup } from "./recordedGroup";
import type { Warning } from "./warnings";

/** Creates the group, or adopts the existing one. After a failure, nothing must be stored. */
export async function createGroup(group: Group, adopt: boolean, context: GroupContext) {
  const { client, key, settings, facts, signal } = context;
  if (settings.changes === "update" && !adopt) throw errors.settingConflict(client.subject, "adoption");
  facts.add(key, { kind: "tried" });
  const result = await client.getOrCreate(group);
  // A state of this stack may have the group, although its resource isn't declared yet.
  if (!result.isNew) await facts.settled(signal);
  const request = { key, group, adopt, changes: settings.changes };
  const creation = decisions.decideCreation(facts, request, result);
  if (creation === "created") return held(created(group, result, context), context);
  if (creation === "adopted") return held(adopted(group, result, context), context, false);
  if (typeof creation === "string") {
    facts.add(key, { kind: "refused", token: result.group.token });
    throw errors.creationError(client.subject, creation);
  }
  if ("retained" in creation) throw new errors.RetainedGroupError(client.subject, creation.retained);
  if ("movedFrom" in creation) return held(moved(group, creation.movedFrom, result), context);
  return held(await recreate(group, creation.recreated, result.group.token, context), context);
}

/**
 * Reads by get-or-create, which creates a missing group again. If another resource has read the group with another token, `stored`
 * is stale and takes its values without a request: a service that updates existing groups would store the stale ones.
 */
export async function readGroup(stored: RecordedGroup, context: GroupContext) {
  const { client, key, settings, facts, firstReads, warn } = context;
  const last = facts.of(key).findLast(({ kind }) => ["read", "held", "deleted"].includes(kind));
  if (last?.kind === "read" && last.group.token !== stored.token) {
    const { dataSourceProvidedId, keepers } = stored;
    return { group: { ...last.group, dataSourceProvidedId, keepers }, isNew: false };
  }
  const result = await firstReads.run(`${settings.baseUrl} ${settings.apiToken}`, client.subject, () =>
    client.getOrCreate(recorded.asSent(stored)),
  );
  const group = recorded.storedAsRead(stored, result);
  if (result.isNew) warn("created again", client.subject);
  else if (group.token !== stored.token) warn("token changed", client.subject);
  facts.add(key, { kind: "read", group });
  return { group, isNew: result.isNew };
}

/** Looks up a group that the stack doesn't manage. Error: no-such-group, if `mustExist`; a created group is deleted again. */
export async function lookUpGroup(group: Group, mustExist: boolean, context: GroupContext) {
  const { client, key, settings, facts, warn } = context;
  const isComplete = group.mapping !== undefined && group.properties !== undefined;
  if (settings.changes === "update" && !isComplete) throw errors.settingConflict(client.subject, "lookup");
  const { group: found, isNew } = await client.getOrCreate(group);
  if (isNew && mustExist)
    throw errors.noSuchGroup(client.subject, await isCleanedUp(group, found.token, client));
  if (isNew) warn("created again", client.subject);
  const stored = recorded.storedAsFound(group, found, !isNew);
  facts.add(key, { kind: "looked up", group: stored });
  return stored;
}

/** Updates by get-or-create, for services that support it. Error: update-not-applied, if the response has the old values. */
export async function updateGroup(stored: RecordedGroup, group: Group, context: GroupContext) {
  const { client, settings, warn } = context;
  if (settings.changes === "replace") throw errors.settingConflict(client.subject, "update");
  const result = await client.getOrCreate(group);
  const [other, read] = [recorded.differences(group, result.group), recorded.storedAsRead(stored, result)];
  const ignored = changedFields(["name", "properties"], stored, group).filter(
    (field) => !result.isNew && field in other && isEqual(read[field], stored[field]),
  );
  const hasMapping = !isEqual(stored.mapping, group.mapping);
  if (ignored.length > 0) throw errors.updateNotApplied(client.subject, ignored, hasMapping);
  const isOther = !result.isNew && result.group.token !== stored.token;
  if (result.isNew) warn("created again", client.subject);
  else if (isOther) warn("token changed", client.subject);
  else if (hasMapping) warn("mapping not verified", client.subject);
  const isAdopted = isOther || (stored.adopted && !result.isNew);
  return held({ ...created(group, result, context), adopted: isAdopted }, context);
}

export function decide(stored: RecordedGroup, by: DeletionRequest["by"], context: ResourceContext) {
  const key = keyOf(context.connection, stored.userGroupId);
  const { changes } = context.settings;
  const isDestroy = context.isDestroy() ?? false;
  return decisions.decideDeletion(context.facts, { key, stored, changes, by, isDestroy });
}

/** Removes the group from the service, unless another resource has it. Errors: see `deletionError`. */
export async function deleteGroup(stored: RecordedGroup, by: DeletionRequest["by"], context: GroupContext) {
  const { client, key, facts, warn } = context;
  const deletion = decide(stored, by, context);
  if (deletion === "delete") {
    const isRecreated = by === "recreate" || facts.of(key).some(({ kind }) => kind === "replaced");
    await deleteInService(stored, isRecreated, context);
  } else if (decisions.isKept(deletion)) warn(deletion, client.subject);
  else if (deletion !== "gone") throw errors.deletionError(client.subject, deletion);
}

/**
 * A refusal may mean that the group is gone. Get-or-create shows that: if it creates the group, or returns another token after an
 * attempt without a response, the group was gone, and the new one is deleted. A group that is going to be created again is deleted
 * with any token, because an earlier run that was killed may have created it already. With `changes: update`, get-or-create could
 * write our values to somebody else's group, so it isn't used.
 */
async function deleteInService(stored: RecordedGroup, isRecreated: boolean, context: GroupContext) {
  const { client, facts, key, settings } = context;
  try {
    await client.delete(stored);
  } catch (error) {
    if ((settings.changes === "update" && !isRecreated) || !mayBeGone(error)) throw error;
    const found = await orUndefined(client.getOrCreate(recorded.asSent(stored)));
    if (!found) throw error;
    const { token } = found.group;
    const isOurs = found.isNew || (found.isPossiblyApplied && token !== stored.token);
    // A resource has got the group in this deployment, by another connection to the same account.
    const isHeld = facts.withToken(token).some(({ kind }) => kind === "held");
    if (isHeld || (!isOurs && !isRecreated)) throw error;
    await client.delete({ ...stored, token });
  }
  facts.add(key, { kind: "deleted", token: stored.token });
}

async function recreate(group: Group, warning: Warning, token: string, context: GroupContext) {
  const { client, warn } = context;
  await deleteInService({ ...group, token, adopted: false }, true, context);
  const result = await errors.recreating(client.getOrCreate(group));
  if (!result.isNew && !result.isPossiblyApplied) return adopted(group, result, context);
  warn(warning, client.subject);
  return created(group, result, context);
}

function created(group: Group, result: GetOrCreateResult, { client, warn }: GroupContext): RecordedGroup {
  const stored = recorded.storedAsSent(group, result.group, false);
  if (stored.storedAs) warn("stored with other values", client.subject);
  return stored;
}

/** A move isn't an adoption: the new state proves as much as the former one. */
function moved(group: Group, former: RecordedGroup, result: GetOrCreateResult): RecordedGroup {
  const { token, adopted: wasAdopted, storedAs } = former;
  return recorded.storedAsRead({ ...group, token, adopted: wasAdopted, storedAs }, result);
}

/** If a possibly applied attempt may have created the group, and it has the program's values, it counts as created. */
function adopted(group: Group, result: GetOrCreateResult, context: GroupContext): RecordedGroup {
  const { client, settings, warn } = context;
  const isOther = Object.keys(recorded.differences(group, result.group)).length > 0;
  const isPossiblyOurs = result.isPossiblyApplied && !isOther;
  warn(isPossiblyOurs ? "possibly created" : "adopted", client.subject);
  // A service that updates was told the program's values. What it returns instead is its form of them.
  const isUpdated = settings.changes === "update";
  if (isOther) warn(isUpdated ? "stored with other values" : "adopted with other values", client.subject);
  const stored = (isUpdated ? recorded.storedAsSent : recorded.storedAsAdopted)(group, result.group, true);
  return { ...stored, adopted: !isPossiblyOurs };
}

/** Adds the fact that a resource has the group now. `isProof`: whether its state proves the mapping. */
function held(stored: RecordedGroup, { key, facts }: GroupContext, isProof = true): RecordedGroup {
  facts.add(key, { kind: "held", group: { ...stored, adopted: stored.adopted || !isProof } });
  return stored;
}

/** Deletes a group that a read has created. Returns whether that succeeded. */
export async function isCleanedUp(group: GroupRequest, token: string, client: GroupClient): Promise<boolean> {
  const isDeleted = client.delete({ ...group, token }).then(() => true);
  return (await orUndefined(isDeleted)) ?? false;
}

function orUndefined<Result>(request: Promise<Result>): Promise<Result | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  });
}

function mayBeGone(error: unknown): boolean {
  return error instanceof UserGroupError && (error.code === "service-refused" || error.code === "not-found");
}

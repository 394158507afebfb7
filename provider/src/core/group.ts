/**
 * The operations on one user group that is created or stays, for both kinds of resources (groupDeletion.ts has those on one that leaves).
 * Each sends its requests, asks decisions.ts what the response means, tells the claims, and returns the new state. It stores nothing
 * itself.
 *
 * | operation | request                | effect                                                                              |
 * | --------- | ---------------------- | ----------------------------------------------------------------------------------- |
 * | create    | get-or-create          | a new group, an adopted one, or one that moves from another resource                |
 * | overlap   | get-or-create          | a new group with another ID in the service; the former one stays                    |
 * | read      | get-or-create          | the group as the service returns it, created again if it was gone; its former group |
 * | update    | get-or-create          | the same group with other values, on a service that updates groups                  |
 * | settle    | get-or-create          | the group after a request of an earlier update whose response was lost               |
 */
import { UserGroupError } from "../errors";
import type { GetOrCreateResult } from "../service/client";
import { isEqual } from "../values";
import { changedFields } from "./changes";
import { keptGroup, keyOf } from "./claims";
import { decideBeforeCreation, decideCreation, type Creation } from "./decisions";
import { keyIn, type GroupContext } from "./deployment";
import * as drift from "./drift";
import type { Group, RequestedGroup, ServiceGroup, StoredGroup } from "./drift";
import { isCleanedUp } from "./groupDeletion";
import * as messages from "./messages";
import { suffixNumber, withSuffix } from "./suffix";

/** A program that declares nothing for so long has declared everything, if a refusal depends on it. */
const quietRoundsBeforeRefusal = 15;

/** Creates the group, adopts the existing one, or takes it over from another resource. After a failure, nothing must be stored. */
export async function createGroup(group: Group, adopt: boolean, context: GroupContext): Promise<StoredGroup> {
  const { claims, client, connection, resource, settings, signal, warn } = context;
  if (settings.changes === "update" && !adopt) throw messages.settingConflict(client.subject, "adoption");
  // A group that moves keeps the ID that a change with overlap has given it, if the state that has it is known.
  const moving = claims.movedOn(connection, group.userGroupId);
  const requested = { ...group, providedId: moving?.providedId ?? group.userGroupId };
  const key = keyIn(context, requested);
  const request = { resource, key, group: requested, adopt, changes: settings.changes };
  const conflict = decideBeforeCreation(claims, request);
  if (conflict) throw messages.creationError(client.subject, conflict, false);
  const own = claims.own(resource, key)?.state;
  const wasDeleted = own !== undefined && claims.isDeleted(key, own.group.token);
  const result = await client.getOrCreate(drift.requestFor(requested)).catch((error: unknown) => {
    throw wasDeleted && error instanceof UserGroupError ? messages.notRecreated(error) : error;
  });
  // An option replaces the resource, or an earlier update has deleted the group and failed to create it again.
  if (result.isNew && own && !own.isFormer && !wasDeleted) warn("created-again", client.subject);
  // A state of this stack may have the group, although its resource isn't declared yet.
  if (!result.isNew) await claims.settled(signal);
  let creation = decideCreation(claims, request, result);
  if (creation.do === "refuse" && creation.code === "adoption-refused") {
    await claims.settled(signal, quietRoundsBeforeRefusal);
    creation = decideCreation(claims, request, result);
  }
  const stored = await storedAfter(creation, requested, result, context);
  claims.get(resource, key, stored, creation.do === "create" || creation.do === "recreate");
  return stored;
}

async function storedAfter(
  creation: Creation,
  group: RequestedGroup,
  result: GetOrCreateResult,
  context: GroupContext,
) {
  const { claims, client, resource } = context;
  switch (creation.do) {
    case "create":
      return created(group, result, context);
    case "adopt":
      return adopted(group, result, context, creation.isReplacement);
    case "move":
      return moved(group, creation.former, result);
    case "recreate":
      return recreateAfterLookup(group, result, context);
    case "refuse":
      if (creation.former) throw new messages.RetainedGroupError(client.subject, creation.former);
      claims.refuse(resource, keyIn(context, group), result.group.token);
      throw messages.creationError(client.subject, creation);
  }
}

function created(
  group: RequestedGroup,
  { group: returned }: GetOrCreateResult,
  { client, warn }: GroupContext,
): StoredGroup {
  const stored = drift.storedAsSent(group, returned, false);
  if (stored.storedAs) warn("stored-with-other-values", client.subject);
  return stored;
}

/** Nobody knows the mapping of a group that was found, also if an attempt without a response may have created it. */
function adopted(
  group: RequestedGroup,
  result: GetOrCreateResult,
  { client, settings, warn }: GroupContext,
  isReplacement = false,
): StoredGroup {
  const isOther = Object.keys(drift.differences(group, result.group)).length > 0;
  if (isReplacement) warn("possibly-retained", client.subject);
  else warn(result.isPossiblyApplied ? "possibly-created" : "adopted", client.subject);
  // A service that updates was told the program's values. What it returns instead is its form of them.
  const isUpdated = settings.changes === "update";
  if (isOther) warn(isUpdated ? "stored-with-other-values" : "adopted-with-other-values", client.subject);
  return isUpdated
    ? drift.storedAsSent(group, result.group, true)
    : drift.storedAsAdopted(group, result.group);
}

/** A move isn't an adoption: the new state knows as much as the former one. */
function moved(group: Group, former: StoredGroup, result: GetOrCreateResult): StoredGroup {
  const { token, adopted: wasAdopted, storedAs, providedId } = former;
  return drift.storedAsRead({ ...group, providedId, token, adopted: wasAdopted, storedAs }, result);
}

/** The token is that of a group that a lookup of this deployment has created. */
async function recreateAfterLookup(
  group: RequestedGroup,
  { group: { token } }: GetOrCreateResult,
  context: GroupContext,
) {
  const { claims, client, warn } = context;
  const { providedId } = group;
  await client.delete({ ...group, userGroupId: providedId, token });
  claims.delete(keyIn(context, group), { providedId, token });
  const result = await client.getOrCreate(drift.requestFor(group)).catch((error: unknown) => {
    throw error instanceof UserGroupError ? messages.notRecreated(error) : error;
  });
  if (!result.isNew) return adopted(group, result, context);
  warn("recreated-after-lookup", client.subject);
  return created(group, result, context);
}

/** So many IDs are tried before the change fails. */
const overlapTries = 20;

/** Creates a group with the next free ID in the service. The former one stays, so a failure changes nothing. */
export async function overlapGroup(
  stored: StoredGroup,
  group: Group,
  context: GroupContext,
): Promise<StoredGroup> {
  const { claims, client, connection, resource, signal, warn } = context;
  // With the API token of another account, the new group would be in that account.
  if (context.account === "other") {
    const current = await client.getOrCreate(drift.requestFor(drift.asSent(stored)));
    await assertSameAccount(stored, current, context);
  }
  // Another customer of the program may have such an ID.
  await claims.settled(signal);
  const first = suffixNumber(stored) + 1;
  for (let number = first; number < first + overlapTries; number += 1) {
    const providedId = withSuffix(group.userGroupId, number);
    const key = keyOf(connection, providedId);
    if (claims.about(key).some(({ declared, state }) => declared ?? state)) continue;
    const result = await client.getOrCreate({ ...group, userGroupId: providedId }).catch((error: unknown) => {
      const isLost = error instanceof UserGroupError && error.isPossiblyApplied;
      throw isLost ? messages.overlapNotConfirmed(error, providedId) : error;
    });
    if (!result.isNew) {
      // Its mapping can't be known, so it isn't used.
      claims.noteTaken(resource, key);
      warn("overlap-id-taken", { ...client.subject, userGroupId: providedId });
      continue;
    }
    const next = drift.storedAsSent({ ...group, providedId }, result.group, false);
    claims.get(resource, key, next, true);
    // The service has given the former token to the new group, so the former group was gone.
    if (next.token === stored.token) return next;
    claims.keepAsFormer(resource, keyIn(context, stored), stored);
    return { ...next, former: { providedId: stored.providedId, token: stored.token } };
  }
  throw messages.noFreeId(client.subject, overlapTries);
}

/**
 * Reads by get-or-create, which creates a missing group again. If another resource of the stack has read the group, a state that didn't
 * create it, has another token, or has a group that was gone takes over what that one knows, without a request: a service that updates
 * existing groups would store the values of this state.
 */
export async function readGroup(stored: StoredGroup, context: GroupContext): Promise<StoredGroup> {
  const { account, claims, client, settings, signal, strangeAccounts, warn } = context;
  const key = keyIn(context, stored);
  const last = claims.lastRead(key);
  if (last && (last.isNew || stored.adopted || last.group.token !== stored.token)) {
    const { userGroupId, dataSourceProvidedId, keepers, former } = stored;
    const lastChange = drift.lastChangeAfterRead(stored) ?? last.group.lastChange;
    return { ...last.group, userGroupId, dataSourceProvidedId, keepers, former, lastChange };
  }
  const read = {
    service: `${settings.baseUrl} ${settings.apiToken}`,
    isKnownAccount: account === "same",
    read: () => client.getOrCreate(drift.requestFor(drift.asSent(stored))),
    findingOf: ({ isNew, group }: GetOrCreateResult) => {
      if (isNew) return "none";
      return group.token === stored.token ? "as stored" : "another token";
    },
  } as const;
  const { isStrange, result } = await strangeAccounts.run(read, signal);
  if (isStrange || result === undefined) {
    if (result?.isNew) await isCleanedUp({ ...stored, token: result.group.token }, client);
    throw messages.strangeAccount(client.subject);
  }
  const group = drift.storedAsRead(stored, result);
  if (result.isNew) warn("created-again", client.subject);
  else if (group.token !== stored.token) warn("token-changed", client.subject);
  claims.read(key, { group, isNew: result.isNew });
  return { ...group, former: await readFormer(stored, context) };
}

/**
 * Reads the group that `overlap` has kept, so that its deletion has the right token. One that is gone leaves the state. A service that
 * updates existing groups stores the current values in it.
 */
async function readFormer(
  stored: StoredGroup,
  { claims, client, connection }: GroupContext,
): Promise<ServiceGroup | undefined> {
  const { former, ...current } = stored;
  if (!former) return undefined;
  const { providedId } = former;
  const key = keyOf(connection, providedId);
  const token = claims.lastReadToken(key);
  // Another resource has the group, so this one must not send its values.
  if (token !== undefined) return { providedId, token };
  const { isNew, group } = await client.getOrCreate(
    drift.requestFor(drift.asSent({ ...current, providedId })),
  );
  const found = { providedId, token: group.token };
  if (isNew && (await isCleanedUp({ ...current, ...found }, client))) return undefined;
  claims.readFormer(key, group.token);
  return found;
}

/**
 * Looks up a group that the stack doesn't manage, or without a request one that another resource of the program has. Error:
 * no-such-group, if `mustExist`; a created group is deleted again.
 */
export async function lookUpGroup(group: Group, mustExist: boolean, context: GroupContext) {
  const { claims, client, connection, resource, settings, signal, warn } = context;
  // A request without its mapping would delete that on a service that updates existing groups.
  await claims.settled(signal);
  const known = claims
    .ofCustomer(connection, group.userGroupId)
    .filter((claim) => claim.resource !== resource && !claim.state?.isFormer)
    .flatMap((claim) => keptGroup(claims, claim) ?? [])[0];
  if (known) {
    const { token, name, properties = {}, providedId } = known;
    return { ...drift.storedAsFound(group, { token, name, properties }, true), providedId };
  }
  const isComplete = group.mapping !== undefined && group.properties !== undefined;
  if (settings.changes === "update" && !isComplete) throw messages.settingConflict(client.subject, "lookup");
  const { group: found, isNew, isPossiblyApplied } = await client.getOrCreate(group);
  if (!isNew && isPossiblyApplied) warn("possibly-created", client.subject);
  if (isNew && mustExist)
    throw messages.noSuchGroup(
      client.subject,
      await isCleanedUp(drift.storedAsFound(group, found, false), client),
    );
  if (isNew) warn("created-again", client.subject);
  const stored = drift.storedAsFound(group, found, !isNew);
  claims.get(resource, keyIn(context, stored), stored, isNew, true);
  return stored;
}

/** Updates by get-or-create, for services that support it. Error: update-not-applied, if the response has the old values. */
export async function updateGroup(
  stored: StoredGroup,
  group: Group,
  context: GroupContext,
): Promise<StoredGroup> {
  const { claims, client, resource, settings, warn } = context;
  if (settings.changes === "replace") throw messages.settingConflict(client.subject, "update");
  const result = await client.getOrCreate({ ...group, userGroupId: stored.providedId });
  await assertSameAccount(stored, result, context);
  const other = drift.differences(group, result.group);
  const read = drift.storedAsRead(stored, result);
  const ignored = changedFields(["name", "properties"], stored, group).filter(
    (field) => !result.isNew && field in other && isEqual(read[field], stored[field]),
  );
  const hasMapping = !isEqual(stored.mapping, group.mapping);
  if (ignored.length > 0) throw messages.updateNotApplied(client.subject, ignored, hasMapping);
  const isOther = !result.isNew && result.group.token !== stored.token;
  if (result.isNew) warn("created-again", client.subject);
  else if (isOther) warn("token-changed", client.subject);
  else if (hasMapping) warn("mapping-not-verified", client.subject);
  const isAdopted = isOther || (stored.adopted && !result.isNew);
  const sent = { ...group, providedId: stored.providedId };
  const updated = { ...drift.storedAsSent(sent, result.group, isAdopted), former: stored.former };
  if (updated.storedAs) warn("stored-with-other-values", client.subject);
  claims.get(resource, keyIn(context, updated), updated, result.isNew);
  return updated;
}

/**
 * A request of an earlier update may have been applied. Now the group is requested with the program's values: a service that updates
 * groups stores them again, and another one has never changed them.
 */
export async function settleGroup(
  stored: StoredGroup,
  group: Group,
  context: GroupContext,
): Promise<StoredGroup> {
  const { claims, client, resource, warn } = context;
  const sent = { ...group, providedId: stored.providedId };
  const result = await client.getOrCreate(drift.requestFor({ ...stored, ...sent }));
  await assertSameAccount(stored, result, context);
  warn(result.isNew ? "created-again" : "settled", client.subject);
  const found = result.isNew
    ? drift.storedAsSent(sent, result.group, false)
    : drift.storedAsAdopted(sent, result.group);
  const isAdopted = !result.isNew && (stored.adopted || found.token !== stored.token);
  const settled = { ...found, adopted: isAdopted, former: stored.former };
  claims.get(resource, keyIn(context, settled), settled, result.isNew);
  return settled;
}

/** An update with the API token of another account must not put that account's group into the state. */
async function assertSameAccount(
  stored: StoredGroup,
  result: GetOrCreateResult,
  context: GroupContext,
): Promise<void> {
  const { account, client } = context;
  const isAsStored = !result.isNew && result.group.token === stored.token;
  if (account !== "other" || isAsStored) return;
  if (result.isNew) await isCleanedUp({ ...stored, token: result.group.token }, client);
  throw messages.strangeAccount(client.subject);
}

/**
 * A group leaves a state: it is deleted in the service, or another resource of the program has it. decisions.ts says which; a deletion
 * sends DELETE, and after a refusal get-or-create, which shows whether the group was gone.
 */
import { UserGroupError } from "../errors";
import type { GroupClient } from "../service/client";
import { decideDeletion, type Deletion, type Release } from "./decisions";
import { keyIn, onGroup, subjectOf, type GroupContext, type ResourceContext } from "./deployment";
import * as drift from "./drift";
import type { StoredGroup } from "./drift";
import * as messages from "./messages";

/** The former group of `overlap` goes first, so what forbids its deletion forbids that of the current one, too. */
export function decide(stored: StoredGroup, context: ResourceContext, { isFormer = false } = {}): Deletion {
  const { account, claims, connection, resource, settings } = context;
  const { former, ...current } = stored;
  const ofFormer = former && decide({ ...current, ...former }, context, { isFormer: true });
  if (ofFormer?.do === "refuse") return ofFormer;
  const key = keyIn(context, stored);
  const isOtherAccount = account === "other";
  const { changes } = settings;
  return decideDeletion(claims, { resource, connection, key, stored, changes, isOtherAccount, isFormer });
}

/**
 * create: another resource may have a group that leaves the state of this one. Its deletion would compare both states, but with
 * retainOnDelete there is none. Error: mapping-conflict.
 */
export async function settleLeaving(context: ResourceContext): Promise<void> {
  const { claims, connection, resource, settings } = context;
  const { changes } = settings;
  for (const { key, state } of claims.of(resource)) {
    if (state?.fate !== "leaves" || key !== keyIn(context, state.group)) continue;
    const { group: stored, isFormer = false } = state;
    const request = { resource, connection, key, stored, changes, isOtherAccount: false, isFormer };
    const deletion = decideDeletion(claims, request);
    const { userGroupId } = stored;
    if (deletion.do === "refuse" && deletion.because === "mapping-conflict")
      throw messages.deletionError(subjectOf("delete", userGroupId, context), deletion);
    if (deletion.do === "release")
      await onGroup("delete", userGroupId, context, (one) => restoreValues(deletion, one));
  }
}

/** Removes the group from the service, unless another resource has it. The former group of `overlap` goes first. Errors: see `deletionError`. */
export async function deleteGroup(stored: StoredGroup, context: GroupContext): Promise<void> {
  if (stored.former) await deleteFormer(stored, context);
  await carryOut(decide(stored, context), stored, context);
}

async function carryOut(deletion: Deletion, stored: StoredGroup, context: GroupContext): Promise<void> {
  const { client, warn } = context;
  switch (deletion.do) {
    case "delete":
      await deleteInService(stored, context);
      return;
    case "release":
      await restoreValues(deletion, context);
      warn(deletion.isProven ? "kept" : "kept-with-unknown-mapping", client.subject);
      return;
    case "refuse":
      throw messages.deletionError(client.subject, deletion);
    case "nothing":
  }
}

/** The group leaves the state, and stays in the service. */
export async function leaveGroup(stored: StoredGroup, context: GroupContext): Promise<void> {
  const deletion = decide(stored, context);
  if (deletion.do === "release") await restoreValues(deletion, context);
}

/**
 * Sends the values of the resource that keeps the group: a service that updates existing groups may have those of the state that
 * leaves. Error: move-unconfirmed, if that resource has an outdated token.
 */
async function restoreValues({ restored, to }: Release, context: GroupContext): Promise<void> {
  if (!restored) return;
  const { claims, client, warn } = context;
  const request = drift.requestFor(drift.asSent(restored));
  const { isNew, group } = await client.getOrCreate(request).catch((error: unknown) => {
    throw error instanceof UserGroupError ? messages.notRestored(error, to) : error;
  });
  if (isNew) await isCleanedUp({ ...restored, token: group.token }, client);
  if (isNew || group.token !== restored.token)
    throw messages.deletionError(client.subject, { because: "stale", by: to });
  claims.get(to, keyIn(context, restored), restored, false);
  warn("settled", client.subject);
}

/** Deletes the group that `overlap` has kept, and returns the state without it. Errors: see `deletionError`. */
export async function deleteFormer(stored: StoredGroup, context: GroupContext): Promise<StoredGroup> {
  const { former, ...current } = stored;
  if (!former) return current;
  const group = { ...current, ...former };
  await carryOut(decide(group, context, { isFormer: true }), group, context);
  return current;
}

async function deleteInService(stored: StoredGroup, context: GroupContext): Promise<void> {
  const { claims, client } = context;
  const { providedId, token, dataSourceProvidedId } = stored;
  try {
    await client.delete({ userGroupId: providedId, token, dataSourceProvidedId });
  } catch (error) {
    if (!(error instanceof UserGroupError) || !mayBeGone(error)) throw error;
    const { finding, foundToken } = await findAfterRefusal(stored, context);
    if (finding !== "gone") throw new messages.RefusedDeletionError(error, finding, stored, foundToken);
  }
  claims.delete(keyIn(context, stored), stored);
}

/**
 * A refusal may mean that the group is gone. Only get-or-create shows that, if it creates the group, which is then deleted again.
 * Another token proves nothing: somebody else may have created that group. With `changes: update`, get-or-create could write our
 * values to it, and another account doesn't know the group, so it isn't used.
 */
async function findAfterRefusal(
  stored: StoredGroup,
  context: GroupContext,
): Promise<{ readonly finding: messages.RefusedDeletion | "gone"; readonly foundToken?: string }> {
  const { account, client, settings } = context;
  if (account === "other") return { finding: "other account" };
  if (settings.changes === "update") return { finding: "not known" };
  const request = drift.requestFor(drift.asSent(stored));
  const found = await orUndefined(client.getOrCreate(request));
  if (!found) return { finding: "not known" };
  const { token } = found.group;
  if (!found.isNew && token === stored.token) return { finding: "same token" };
  if (!found.isNew) return { finding: "other token", foundToken: token };
  const isGone = await isCleanedUp({ ...stored, token }, client);
  return { finding: isGone ? "gone" : "not cleaned up" };
}

/** Deletes a group that a request of this operation has created. Returns whether that succeeded. */
export async function isCleanedUp(
  {
    providedId,
    token,
    dataSourceProvidedId,
  }: Pick<StoredGroup, "providedId" | "token" | "dataSourceProvidedId">,
  client: GroupClient,
): Promise<boolean> {
  const isDeleted = client.delete({ userGroupId: providedId, token, dataSourceProvidedId }).then(() => true);
  return (await orUndefined(isDeleted)) ?? false;
}

function orUndefined<Result>(request: Promise<Result>): Promise<Result | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  });
}

function mayBeGone({ code }: UserGroupError): boolean {
  return code === "service-refused" || code === "not-found";
}

/**
 * The changes of one user group that stays in a state. deleteGroup.ts has those that leave.
 *
 * | change    | requests        | effect                                                                                    |
 * | --------- | --------------- | ----------------------------------------------------------------------------------------- |
 * | recreate  | DELETE, create  | the group is deleted, then created again with a new token                                 |
 * | renew     | get-or-create   | another group of the customer (`overlap`); the one that it had becomes a former group      |
 * | update    | get-or-create   | the same group with other values, on a service that updates groups                        |
 * | settle    | get-or-create   | ends a doubt: a request of an earlier update may have been applied without a response      |
 */
import { returnedFields } from "../../service/client";
import { isEqual } from "../../values";
import { withClient, type GroupContext } from "../deployment/context";
import * as errors from "../messages/groupErrors";
import { revivedBy, type RequestedChange } from "./plan";
import {
  asShown,
  changedFields,
  differences,
  storedAsRead,
  valuesOf,
  type StoredGroup,
} from "../state/group";
import { derivedId, withoutFormer } from "../rotation/overlap";
import type { SharedArguments } from "../state/shapes";
import { createGroup, requestGroup } from "../creation/createGroup";
import { deleteGroup, deleteFormer, departureByUpdate } from "../deletion/deleteGroup";

/** `groups`: those of the state, as the service has confirmed them. A step that isn't the last is recorded there. */
export interface GroupChange extends RequestedChange {
  readonly shared: SharedArguments;
  readonly groups: Map<string, StoredGroup>;
}

/** A doubt ends first, except by an update, which sends the values anyway. */
export async function changeGroup(change: GroupChange, context: GroupContext): Promise<StoredGroup> {
  const { how, from } = change;
  if (how === "settle") return settleGroup(change, context);
  if (how === "update") return updateGroup(change, context);
  const settled = from.doubt ? await settleGroup(change, context) : from;
  const next = { ...change, from: settled };
  return how === "renew" ? renewGroup(next, context) : recreateGroup(next, context);
}

/**
 * Requests the group with the values that the state has: a service that updates groups stores them again, and another one has never changed
 * them. Error: update-not-applied, if a change is planned and the service has another group.
 */
async function settleGroup(
  { how, from, to, shared, groups }: GroupChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { client, warn } = context;
  const group = how === "settle" ? to : valuesOf(from);
  const requested = { group, providedId: from.providedId, own: from };
  const { row, stored } = await requestGroup(requested, shared, context);
  if (row === "own") warn("settled", client.subject);
  if (row !== "found" || how === "settle") return stored;
  groups.set(from.userGroupId, stored);
  throw errors.anotherGroupFound(client.subject);
}

/** Error: update-not-applied, if the response has the old values. */
async function updateGroup({ from, to, shared }: GroupChange, context: GroupContext): Promise<StoredGroup> {
  const { client, settings, warn } = context;
  if (settings.changes === "replace") throw errors.settingConflict(client.subject, "update-with-replace");
  const requested = { group: to, providedId: from.providedId, own: from };
  const { row, result, stored: updated } = await requestGroup(requested, { ...shared, adopt: true }, context);
  if (row !== "own") return updated;
  const before = asShown(from);
  const read = asShown(storedAsRead(from, result));
  const hasMapping = !isEqual(from.mapping, to.mapping);
  const changed = changedFields(returnedFields, before, to);
  const others = differences(to, result.group);
  const ignored = changed.filter((field) => others.includes(field) && isEqual(read[field], before[field]));
  const isInPart = hasMapping || changed.length > ignored.length;
  if (ignored.length > 0) throw errors.updateNotApplied(client.subject, ignored, { hasMapping, isInPart });
  if (hasMapping) warn("mapping-not-verified", client.subject);
  if (updated.returned) warn("stored-with-other-values", client.subject);
  return updated;
}

/**
 * Another group of the customer becomes the current one. A failure changes nothing. Without `overlap`, the customer's plain ID may be that
 * of a former group with other values, which is deleted first.
 */
async function renewGroup(change: GroupChange, context: GroupContext): Promise<StoredGroup> {
  const { from, to, shared, groups } = change;
  const revived = revivedBy(change);
  const inWay = from.former?.find(({ providedId }) => providedId === to.userGroupId);
  if (inWay && !shared.overlap && !revived) {
    await withClient("delete", to.userGroupId, context, (one) => deleteFormer(inWay, departureByUpdate, one));
    const left = withoutFormer(from, inWay);
    groups.set(from.userGroupId, left);
    return renewGroup({ ...change, from: left }, context);
  }
  const providedId = revived?.providedId ?? renewedId(change, context);
  const { stored } = await requestGroup({ group: to, providedId, own: from }, shared, context);
  return stored;
}

/** The derived ID, or without `overlap` the customer's. */
function renewedId({ from, to, shared }: GroupChange, { settings: { changes } }: GroupContext): string {
  if (!shared.overlap) return to.userGroupId;
  const id = derivedId(to, changes);
  // A group of the state with this ID has other values by now, because somebody changed them in the service.
  const drifted = [from, ...(from.former ?? [])].find((each) => each.providedId === id);
  return drifted ? derivedId(to, changes, [drifted.token]) : id;
}

/** Deletes the group, then creates it again, in one turn of the customer's queue. */
async function recreateGroup(
  { from, to, shared, groups }: GroupChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { userGroupId } = from;
  await withClient("delete", userGroupId, context, (one) => deleteGroup(from, departureByUpdate, one));
  groups.delete(userGroupId);
  return withClient("create", userGroupId, context, (one) => createGroup(to, shared, one));
}

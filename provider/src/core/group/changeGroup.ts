/**
 * The changes of one user group that stays in a state. deleteGroup.ts has those that leave.
 *
 * | operation | request         | effect                                                                                    |
 * | --------- | --------------- | ----------------------------------------------------------------------------------------- |
 * | recreate  | DELETE, create  | the group is deleted, then created again with a new token                                 |
 * | update    | get-or-create   | the same group with other values, on a service that updates groups                        |
 * | settle    | get-or-create   | ends a doubt: a request of an earlier update may have been applied without a response      |
 * | renew     | get-or-create   | another group of the customer (`overlap`); the one that it had becomes a former group      |
 */
import { returnedFields } from "../../service/client";
import { isEqual } from "../../values";
import { withClient, type GroupContext } from "../deployment/context";
import * as errors from "../messages/groupErrors";
import type { Action } from "../set/plan";
import { formerWith, withoutFormer } from "../state/formerGroups";
import {
  asSent,
  changedFields,
  derivedId,
  differences,
  storedAsRead,
  valuesOf,
  type Group,
  type StoredGroup,
} from "../state/group";
import type { SharedArguments } from "../state/shapes";
import { createGroup, obtainGroup } from "./createGroup";
import { deleteCustomer, deleteFormer, ofUpdate } from "./deleteGroup";

/** A planned change of a group that stays (set/plan.ts). */
export interface RequestedChange {
  readonly action: Action;
  readonly stored: StoredGroup;
  readonly group: Group;
  readonly shared: SharedArguments;
  /** Records a deletion before the request that follows it. Undefined: no group is left. */
  readonly record: (now: StoredGroup | undefined) => void;
}

/** A doubt ends first. If the group turns out to be another one than the state's, no change follows. */
export async function changeGroup(change: RequestedChange, context: GroupContext): Promise<StoredGroup> {
  const { action, stored, group } = change;
  if (stored.doubt && action !== "update") {
    // A renewed group keeps its values as a former one.
    const { settled, isOwn } = await settleGroup(
      change,
      action === "renew" ? valuesOf(asSent(stored)) : group,
      context,
    );
    if (!isOwn || action === "settle") return settled;
  }
  switch (action) {
    case "update":
      return updateGroup(change, context);
    case "renew":
      return renewGroup(change, context);
    case "recreate":
      return recreateGroup(change, context);
    default:
      throw new Error(`The action ${action} isn't a change of a group that stays.`);
  }
}

/**
 * Requests the group with the program's values: a service that updates groups stores them again, and another one has never changed
 * them. `isOwn`: it is the state's group, so that a change may follow.
 */
async function settleGroup(
  { stored, shared }: RequestedChange,
  group: Group,
  context: GroupContext,
): Promise<{ readonly settled: StoredGroup; readonly isOwn: boolean }> {
  const { client, warn } = context;
  const requested = { group, providedId: stored.providedId, own: stored };
  const { row, stored: settled } = await obtainGroup(requested, shared, context);
  const isOwn = row === "own group";
  if (isOwn) warn("settled", client.subject);
  return { settled, isOwn };
}

/** Error: update-not-applied, if the response has the old values. */
async function updateGroup(
  { stored, group, shared }: RequestedChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { client, settings, warn } = context;
  if (settings.changes === "replace") throw errors.settingConflict(client.subject, "update");
  const requested = { group, providedId: stored.providedId, own: stored };
  const { row, result, stored: updated } = await obtainGroup(requested, { ...shared, adopt: true }, context);
  if (row !== "own group") return updated;
  const hasMapping = !isEqual(stored.mapping, group.mapping);
  const changed = changedFields(returnedFields, stored, group);
  const others = differences(group, result.group);
  const read = storedAsRead(stored, result);
  const ignored = changed.filter((field) => others.includes(field) && isEqual(read[field], stored[field]));
  const isInPart = hasMapping || changed.length > ignored.length;
  if (ignored.length > 0) throw errors.updateNotApplied(client.subject, ignored, { hasMapping, isInPart });
  if (hasMapping) warn("mapping-not-verified", client.subject);
  if (updated.shown) warn("stored-with-other-values", client.subject);
  return updated;
}

/**
 * Another group of the customer becomes the current one. A failure changes nothing. Without `overlap`, the customer's plain ID may be that
 * of a former group with other values, which is deleted first.
 */
async function renewGroup(change: RequestedChange, context: GroupContext): Promise<StoredGroup> {
  const { stored, group, shared, record } = change;
  const revived = formerWith(stored, group);
  const isInWay = ({ providedId }: StoredGroup) => providedId === group.userGroupId;
  const inWay = shared.overlap || revived ? undefined : stored.former?.find(isInWay);
  if (inWay) {
    await withClient("delete", group.userGroupId, context, (one) => deleteFormer(inWay, ofUpdate, one));
    const left = withoutFormer(stored, inWay);
    record(left);
    return renewGroup({ ...change, stored: left }, context);
  }
  const providedId = revived?.providedId ?? renewedId(change, context);
  const { stored: renewed } = await obtainGroup({ group, providedId, own: stored }, shared, context);
  return renewed;
}

/** The derived ID, or without `overlap` the customer's. */
function renewedId(
  { stored, group, shared }: RequestedChange,
  { settings: { changes } }: GroupContext,
): string {
  if (!shared.overlap) return group.userGroupId;
  const id = derivedId(group, changes);
  // A group of the state with this ID has other values by now, because somebody changed them in the service.
  const drifted = [stored, ...(stored.former ?? [])].find((each) => each.providedId === id);
  return drifted ? derivedId(group, changes, [drifted.token]) : id;
}

/** Deletes the group, then creates it again, in one turn of the customer's queue. */
async function recreateGroup(
  { stored, group, shared, record }: RequestedChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { userGroupId } = stored;
  await withClient("delete", userGroupId, context, (one) => deleteCustomer(stored, ofUpdate, one));
  record(undefined);
  return withClient("create", userGroupId, context, (one) => createGroup(group, shared, one));
}

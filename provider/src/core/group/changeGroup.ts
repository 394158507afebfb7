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
import { isEqual } from "../../values";
import { customerIn, withClient, type GroupContext } from "../deployment/context";
import * as errors from "../messages/groupErrors";
import { changedFields, type Action } from "../state/changes";
import { derivedId } from "../state/derivedId";
import { allGroupsOf, asFormer, formerWith, withoutFormer } from "../state/formerGroups";
import {
  differences,
  storedAsRead,
  type FormerGroup,
  type Group,
  type StoredGroup,
} from "../state/storedGroup";
import { createGroup, obtainGroup, type Creation } from "./createGroup";
import { deleteCustomer, deleteFormer, ofUpdate } from "./deleteGroup";

/** A planned change of a group that stays (set/plan.ts). */
export interface RequestedChange {
  readonly action: Action;
  readonly stored: StoredGroup;
  readonly group: Group;
  readonly creation: Creation;
  /** Records a deletion before the request that follows it. Undefined: no group is left. */
  readonly record: (now: StoredGroup | undefined) => void;
}

/** A doubt ends first. If the group turns out to be another one than the state's, no change follows. */
export async function changeGroup(change: RequestedChange, context: GroupContext): Promise<StoredGroup> {
  const { action, stored, group, creation } = change;
  if (stored.doubt && action !== "update") {
    // A renewed group keeps its values as a former one.
    const requested = action === "renew" ? stored : group;
    const { settled, isOwn } = await settleGroup(stored, requested, creation, context);
    if (!isOwn || action === "settle") return settled;
  }
  switch (action) {
    case "update":
      return updateGroup(stored, group, context);
    case "renew":
      return renewAside(change, context);
    case "recreate":
      return recreateGroup(change, context);
    default:
      throw new Error(`The action ${action} isn't a change of a group that stays.`);
  }
}

/** Without `overlap`, the customer's plain ID may be that of a former group with other values. Then that one is deleted first. */
async function renewAside(
  { stored, group, creation, record }: RequestedChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { userGroupId } = stored;
  const former = creation.overlaps
    ? undefined
    : stored.former?.find(({ providedId }) => providedId === userGroupId);
  if (!former || former === formerWith(stored, group)) return renewGroup(stored, group, creation, context);
  await withClient("delete", userGroupId, context, (one) => deleteFormer(former, stored, ofUpdate, one));
  const left = withoutFormer(stored, former);
  record(left);
  return renewGroup(left, group, creation, context);
}

/** Deletes the group, then creates it again, in one turn of the customer's queue. */
async function recreateGroup(
  { stored, group, creation, record }: RequestedChange,
  context: GroupContext,
): Promise<StoredGroup> {
  const { userGroupId } = stored;
  await withClient("delete", userGroupId, context, (one) => deleteCustomer(stored, ofUpdate, one));
  record(undefined);
  return withClient("create", userGroupId, context, (one) => createGroup(group, creation, one));
}

/** Error: update-not-applied, if the response has the old values. */
async function updateGroup(stored: StoredGroup, group: Group, context: GroupContext): Promise<StoredGroup> {
  const { client, settings, warn } = context;
  if (settings.changes === "replace") throw errors.settingConflict(client.subject, "update");
  const requested = { ...group, providedId: stored.providedId };
  const {
    decision,
    result,
    stored: updated,
  } = await obtainGroup(requested, { own: stored, adopt: true }, context);
  if (decision.do !== "keep") return { ...updated, former: stored.former };
  const hasMapping = !isEqual(stored.mapping, group.mapping);
  const others = differences(group, result.group);
  const read = storedAsRead(stored, result);
  const ignored = changedFields(["name", "properties"], stored, group).filter(
    (field) => field in others && isEqual(read[field], stored[field]),
  );
  const isInPart = hasMapping || changedFields(["name", "properties"], stored, group).length > ignored.length;
  if (ignored.length > 0) throw errors.updateNotApplied(client.subject, ignored, { hasMapping, isInPart });
  if (hasMapping) warn("mapping-not-verified", client.subject);
  if (updated.shown) warn("stored-with-other-values", client.subject);
  return updated;
}

/**
 * Requests the group with the program's values: a service that updates groups stores them again, and another one has never changed
 * them. `isOwn`: it is the state's group, so that a change may follow.
 */
async function settleGroup(
  stored: StoredGroup,
  group: Group,
  { adopt }: Creation,
  context: GroupContext,
): Promise<{ readonly settled: StoredGroup; readonly isOwn: boolean }> {
  const { client, warn } = context;
  const requested = { ...group, providedId: stored.providedId };
  const { decision, stored: settled } = await obtainGroup(requested, { own: stored, adopt }, context);
  const isOwn = decision.do === "keep";
  if (isOwn) warn("settled", client.subject);
  return { settled: { ...settled, former: stored.former }, isOwn };
}

/** Another group of the customer becomes the current one. A failure changes nothing. */
async function renewGroup(
  stored: StoredGroup,
  group: Group,
  creation: Creation,
  context: GroupContext,
): Promise<StoredGroup> {
  const { clock, facts, resource, settings } = context;
  const providedId = renewedId(stored, group, creation, context);
  const { stored: renewed } = await obtainGroup(
    { ...group, providedId },
    { own: stored, adopt: creation.adopt },
    context,
  );
  // A response has shown another group under the ID, or the token of another group: that one is gone. Or it is the current one again.
  const isGone = ({ providedId: id, token }: FormerGroup) => id === providedId || token === renewed.token;
  const former = [...(stored.former ?? []), asFormer(stored, clock.date())].filter((each) => !isGone(each));
  const next = { ...renewed, former: former.length > 0 ? former : undefined };
  const customer = customerIn(context, group);
  const is = facts.of(customer).find((each) => each.resource === resource)?.is ?? "got";
  facts.note({ resource, customer, address: settings.baseUrl, group: next, is });
  return next;
}

/** The ID of a former group that has the program's values; otherwise the derived one, or without `overlap` the customer's. */
function renewedId(
  stored: StoredGroup,
  group: Group,
  { overlaps }: Creation,
  { settings: { changes } }: GroupContext,
): string {
  const former = formerWith(stored, group);
  if (former) return former.providedId;
  if (!overlaps) return group.userGroupId;
  const id = derivedId(group, changes);
  // A group of the state with this ID has other values by now, because somebody changed them in the service.
  const drifted = allGroupsOf(stored).find((each) => each.providedId === id);
  return drifted ? derivedId(group, changes, [drifted.token]) : id;
}

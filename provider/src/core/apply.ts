/** Carries out the planned changes of the groups of one resource, and records the state of each group after its requests. */
import { UserGroupError } from "../errors";
import { onGroup, subjectOf, type GroupContext, type ResourceContext } from "./deployment";
import { withoutDrift, type Group, type StoredGroup } from "./drift";
import { eachGroup, type Failures } from "./eachGroup";
import * as operations from "./group";
import { decide, deleteFormer, deleteGroup, leaveGroup } from "./groupDeletion";
import { deletionError, notRecreated, RefusedDeletionError, RetainedGroupError } from "./messages";
import { isEffective, type Action, type PlannedChange } from "./plan";
import type { Wanted } from "./shapes";

export interface Application {
  readonly plan: readonly PlannedChange[];
  /** userGroupId → group, as the service has confirmed it. Changes with each request. */
  readonly groups: Map<string, StoredGroup>;
  readonly wanted: Wanted;
  readonly context: ResourceContext;
}

/** Changes `groups` to the wanted ones. Groups leave last, so that other resources have time to get them from the service. */
export async function applyPlan(application: Application): Promise<Failures> {
  const { plan, context } = application;
  takeOverState(application);
  const staying = plan.filter((change) => !isLeaving(change) && !isStateOnly(change) && isEffective(change));
  const failures = await eachGroup(staying, context, (change) => applyToGroup(change, application));
  const leaving = plan.filter(isLeaving);
  if (leaving.length === 0) return failures;
  if (failures.untried.length > 0) return { ...failures, untried: [...failures.untried, ...leaving] };
  await untilConfirmed(leaving, application);
  const { failed, untried } = await eachGroup(leaving, context, (change) => remove(change, application));
  return { failed: [...failures.failed, ...failed], untried };
}

function isLeaving({ action }: PlannedChange): boolean {
  return action === "delete" || action === "release";
}

function isStateOnly({ action, dropsFormer }: PlannedChange): boolean {
  return !dropsFormer && (action === "keep" || action === "change state");
}

/** The values of groups that no request changes. */
export function takeOverState({ plan, groups, wanted }: Omit<Application, "context">): void {
  for (const { userGroupId, action } of plan) {
    const stored = groups.get(userGroupId);
    if (stored && (action === "keep" || action === "change state"))
      groups.set(userGroupId, withoutDrift(stored, wantedGroup(userGroupId, wanted)));
  }
}

/** The group stays, or is created. A failure leaves the group in the state that the service is known to have. */
async function applyToGroup({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { groups, wanted } = application;
  const group = wantedGroup(userGroupId, wanted);
  const stored = groups.get(userGroupId);
  if (!stored) {
    await create(group, application);
    return;
  }
  try {
    await change(action, await dropFormer(stored, application), group, application);
  } catch (error) {
    noteFailure(userGroupId, error, groups);
    throw error;
  }
}

/**
 * Deletes the former group that `overlap` has kept, if there is one, and returns the group without it. If it has another token in the
 * service, the state has that one afterwards.
 */
async function dropFormer(stored: StoredGroup, { groups, context }: Application): Promise<StoredGroup> {
  const { userGroupId, former } = stored;
  if (!former) return stored;
  try {
    const current = await onGroup("delete", userGroupId, context, (one) => deleteFormer(stored, one));
    groups.set(userGroupId, current);
    return current;
  } catch (error) {
    if (!(error instanceof RefusedDeletionError) || error.foundToken === undefined) throw error;
    groups.set(userGroupId, { ...stored, former: { ...former, token: error.foundToken } });
    throw error.asRecorded;
  }
}

async function change(
  action: Action,
  stored: StoredGroup,
  group: Group,
  application: Application,
): Promise<void> {
  const { groups, context } = application;
  const { userGroupId } = stored;
  const run = (operation: typeof operations.updateGroup) =>
    onGroup("update", userGroupId, context, (one: GroupContext) => operation(stored, group, one));
  switch (action) {
    case "update":
      groups.set(userGroupId, await run(operations.updateGroup));
      return;
    case "settle":
      groups.set(userGroupId, await run(operations.settleGroup));
      return;
    case "overlap":
      groups.set(userGroupId, await run(operations.overlapGroup));
      return;
    case "recreate":
      await recreate(stored, group, application);
      return;
    default:
  }
}

/** Deletes the group, then creates it again. Between both, no state has it. */
async function recreate(stored: StoredGroup, group: Group, application: Application): Promise<void> {
  const { groups, context } = application;
  const { userGroupId } = stored;
  await onGroup("delete", userGroupId, context, (one) => deleteGroup(stored, one));
  groups.delete(userGroupId);
  await create(group, application).catch((error: unknown) => {
    const isPlain = error instanceof UserGroupError && !(error instanceof RetainedGroupError);
    throw isPlain ? notRecreated(error) : error;
  });
}

/** If the service still has a group that was to be deleted first, the state keeps it. */
async function create(group: Group, { groups, wanted, context }: Application): Promise<void> {
  const { userGroupId } = group;
  const adopt = wanted.adopt ?? true;
  try {
    const created = await onGroup("create", userGroupId, context, (one) =>
      operations.createGroup(group, adopt, one),
    );
    groups.set(userGroupId, created);
  } catch (error) {
    if (error instanceof RetainedGroupError) groups.set(userGroupId, error.group);
    throw error;
  }
}

/** The state keeps the former values, and says whether a request may have been applied. */
function noteFailure(userGroupId: string, error: unknown, groups: Map<string, StoredGroup>): void {
  const stored = groups.get(userGroupId);
  if (!stored || error instanceof RetainedGroupError) return;
  const isPossiblyApplied = !(error instanceof UserGroupError) || error.isPossiblyApplied;
  const isUnknown = isPossiblyApplied || stored.lastChange === "unknown";
  groups.set(userGroupId, { ...stored, lastChange: isUnknown ? "unknown" : "failed" });
}

/** After a partial failure, the engine keeps the former inputs, which don't have the new values of these groups. */
export function noteCompleted(plan: readonly PlannedChange[], groups: Map<string, StoredGroup>): void {
  for (const { userGroupId, action } of plan) {
    const stored = groups.get(userGroupId);
    if (stored && stored.lastChange === undefined && action !== "keep")
      groups.set(userGroupId, { ...stored, lastChange: "completed" });
  }
}

/** The group is no longer declared. */
async function remove({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { groups, context } = application;
  const stored = groups.get(userGroupId);
  if (!stored) return;
  const deletion = decide(stored, context);
  const subject = subjectOf("delete", userGroupId, context);
  const isUnconfirmed = deletion.do === "refuse" && deletion.because === "unconfirmed";
  if (isUnconfirmed && action === "delete") {
    context.warn("not-released", subject);
    // The other resource may still change the group.
    groups.set(userGroupId, { ...stored, lastChange: "unknown" });
    return;
  }
  try {
    if (deletion.do === "refuse" && !isUnconfirmed) throw deletionError(subject, deletion);
    if (action === "delete") {
      const current = await dropFormer(stored, application);
      await onGroup("delete", userGroupId, context, (one) => deleteGroup(current, one));
    } else await onGroup("delete", userGroupId, context, (one) => leaveGroup(stored, one));
    groups.delete(userGroupId);
  } catch (error) {
    noteFailure(userGroupId, error, groups);
    throw error;
  }
}

/** Waits a moment for resources that declare the groups. With `--parallel 1` they wait for this one, so not longer. */
async function untilConfirmed(leaving: readonly PlannedChange[], application: Application): Promise<void> {
  const { groups, context } = application;
  const { claims, signal } = context;
  await claims.settled(signal);
  const isUnconfirmed = ({ userGroupId }: PlannedChange) => {
    const stored = groups.get(userGroupId);
    const deletion = stored && decide(stored, context);
    return deletion?.do === "refuse" && deletion.because === "unconfirmed";
  };
  await claims.wait(() => !leaving.some(isUnconfirmed), signal);
}

function wantedGroup(userGroupId: string, { groups }: Wanted): Group {
  const group = groups.get(userGroupId);
  if (!group) throw new Error("The plan is about a user group that isn't wanted.");
  return group;
}

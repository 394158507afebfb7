/** Applies the planned changes of a `UserGroups`, and updates the state after each request. */
import type { UserGroupsArguments } from "../arguments";
import { onGroup, type ResourceContext } from "../group/context";
import { deletionError, recreating } from "../group/errors";
import { createGroup, decide, deleteGroup, updateGroup } from "../group/operations";
import { withoutDrift, type Group } from "../group/storedGroup";
import { eachGroup, type Failures } from "./eachGroup";
import type { GroupsState } from "./groupsState";
import { planChanges, type PlannedChange } from "./plan";

interface Application {
  readonly state: GroupsState;
  readonly wanted: UserGroupsArguments;
  readonly context: ResourceContext;
}

/**
 * Changes the groups of `state` to the wanted ones. A group that fails stays in `state` as the service has it. Groups leave
 * last, so that other resources which declare them have time to get them from the service.
 */
export async function applyPlan(
  state: GroupsState,
  wanted: UserGroupsArguments,
  context: ResourceContext,
): Promise<Failures> {
  const application = { state, wanted, context };
  const plan = planOf(application);
  for (const change of plan) if (isStateChange(change)) changeState(change, application);
  const staying = plan.filter(({ action }) => ["create", "recreate", "update"].includes(action));
  const leaving = plan.filter(({ action }) => action === "delete" || action === "release");
  const failures = await each(staying, application, put);
  if (leaving.length === 0) return failures;
  if (failures.untried.length > 0) return { ...failures, untried: [...failures.untried, ...idsOf(leaving)] };
  await untilConfirmed(leaving, application);
  const { failed, untried } = await each(leaving, application, remove);
  return { failed: [...failures.failed, ...failed], untried };
}

function planOf({ state, wanted, context: { service, deployment } }: Application): PlannedChange[] {
  const olds = Object.fromEntries(state.groups.map((group) => [group.userGroupId, group]));
  const tokens = Object.fromEntries(state.groups.map(({ userGroupId, token }) => [userGroupId, token]));
  const sent = Object.fromEntries(state.groups.map(({ userGroupId, lastSent }) => [userGroupId, lastSent]));
  const { changes } = service.settings;
  return planChanges({ groups: olds, tokens, sent }, wanted, changes, deployment.facts);
}

function each(
  changes: readonly PlannedChange[],
  application: Application,
  work: (change: PlannedChange, application: Application) => Promise<void>,
): Promise<Failures> {
  const { deployment, service } = application.context;
  const { maxConnections } = service.settings;
  return eachGroup(changes, (change) => work(change, application), { ...deployment, maxConnections });
}

function idsOf(changes: readonly PlannedChange[]): string[] {
  return changes.map(({ userGroupId }) => userGroupId);
}

function isStateChange({ action }: PlannedChange): boolean {
  return action === "keep" || action === "change state";
}

function changeState({ userGroupId }: PlannedChange, { state, wanted }: Application): void {
  const stored = state.group(userGroupId);
  if (!stored) return;
  const { token, adopted, storedAs } = withoutDrift(stored);
  state.put({ ...wantedGroup(userGroupId, wanted), token, adopted, storedAs });
}

/** Creates, recreates or updates a group. */
async function put(
  { userGroupId, action }: PlannedChange,
  { state, wanted, context }: Application,
): Promise<void> {
  const stored = state.group(userGroupId);
  const group = wantedGroup(userGroupId, wanted);
  if (stored && action === "update") {
    state.put(await onGroup("update", userGroupId, context, (one) => updateGroup(stored, group, one)));
    return;
  }
  const create = () =>
    onGroup("create", userGroupId, context, (one) => createGroup(group, wanted.adopt ?? true, one));
  if (!stored) {
    state.put(await create());
    return;
  }
  await onGroup("delete", userGroupId, context, (one) => deleteGroup(stored, "recreate", one));
  state.remove(userGroupId);
  state.put(await recreating(create));
}

/** Deletes a group, or drops it from the state. */
async function remove({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { state, context } = application;
  const stored = state.group(userGroupId);
  if (!stored) return;
  const deletion = decide(stored, "update", context);
  const { subject } = context.service.client("delete", userGroupId);
  if (action === "release") {
    if (deletion === "mapping-conflict" || deletion === "stale") throw deletionError(subject, deletion);
  } else if (deletion === "unconfirmed") {
    context.warn("not released", subject);
    return;
  } else await onGroup("delete", userGroupId, context, (one) => deleteGroup(stored, "update", one));
  state.remove(userGroupId);
}

/** Waits a moment for resources that declare the groups. With `--parallel 1` they wait for this one, so not longer. */
async function untilConfirmed(
  leaving: readonly PlannedChange[],
  { state, context }: Application,
): Promise<void> {
  const { facts, signal } = context.deployment;
  await facts.settled(signal);
  const stored = leaving.flatMap(({ userGroupId }) => state.group(userGroupId) ?? []);
  await facts.wait(() => !stored.some((group) => decide(group, "update", context) === "unconfirmed"), signal);
}

function wantedGroup(userGroupId: string, { groups }: UserGroupsArguments): Group {
  const group = groups[userGroupId];
  if (!group) throw new Error("The plan is about a user group that isn't wanted.");
  return { ...group, userGroupId };
}

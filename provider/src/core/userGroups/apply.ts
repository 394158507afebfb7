/** Applies the planned changes of a `UserGroups`, and updates its groups after each request. */
import type { UserGroupsArguments } from "../arguments";
import { onGroup, subjectOf, type ResourceContext } from "../group/context";
import { deletionError, recreating } from "../group/errors";
import { createGroup, decide, deleteGroup, updateGroup } from "../group/operations";
import { withoutDrift, type Group, type RecordedGroup } from "../group/recordedGroup";
import { eachGroup, type Failures } from "./eachGroup";
import { planChanges, type Action, type PlannedChange } from "./plan";

interface Application {
  /** userGroupId → group, as the service has confirmed it. */
  readonly groups: Map<string, RecordedGroup>;
  readonly wanted: UserGroupsArguments;
  readonly context: ResourceContext;
}

/** Changes `groups` to the wanted ones. Groups leave last, so that other resources have time to get them from the service. */
export async function applyPlan(application: Application): Promise<Failures> {
  const { groups, wanted, context } = application;
  const plan = planChanges(groups, wanted, context.settings.changes, context.facts);
  const changesOf = (...actions: Action[]) => plan.filter(({ action }) => actions.includes(action));
  for (const { userGroupId } of changesOf("keep", "change state")) {
    const stored = groups.get(userGroupId);
    if (stored) groups.set(userGroupId, withoutDrift(stored, wantedGroup(userGroupId, wanted)));
  }
  const staying = changesOf("create", "recreate", "update");
  const failures = await eachGroup(staying, context, (change) => put(change, application));
  const leaving = changesOf("delete", "release");
  if (leaving.length === 0) return failures;
  if (failures.untried.length > 0) return { ...failures, untried: [...failures.untried, ...leaving] };
  await untilConfirmed(leaving, application);
  const { failed, untried } = await eachGroup(leaving, context, (change) => remove(change, application));
  return { failed: [...failures.failed, ...failed], untried };
}

async function put({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { groups, wanted, context } = application;
  const stored = groups.get(userGroupId);
  const group = wantedGroup(userGroupId, wanted);
  if (stored && action === "update") {
    const update = onGroup("update", userGroupId, context, (one) => updateGroup(stored, group, one));
    groups.set(userGroupId, await update);
    return;
  }
  if (stored) await onGroup("delete", userGroupId, context, (one) => deleteGroup(stored, "recreate", one));
  const created = onGroup("create", userGroupId, context, (one) =>
    createGroup(group, wanted.adopt ?? true, one),
  );
  const forget = () => groups.delete(userGroupId);
  groups.set(userGroupId, await (stored ? recreating(created, forget) : created));
}

async function remove({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { groups, context } = application;
  const stored = groups.get(userGroupId);
  if (!stored) return;
  const deletion = decide(stored, "update", context);
  const subject = subjectOf("delete", userGroupId, context);
  if (action === "release") {
    if (deletion === "mapping-conflict" || deletion === "stale") throw deletionError(subject, deletion);
  } else if (deletion === "unconfirmed") {
    context.warn("not released", subject);
    return;
  } else await onGroup("delete", userGroupId, context, (one) => deleteGroup(stored, "update", one));
  groups.delete(userGroupId);
}

/** Waits a moment for resources that declare the groups. With `--parallel 1` they wait for this one, so not longer. */
async function untilConfirmed(leaving: readonly PlannedChange[], application: Application): Promise<void> {
  const { groups, context } = application;
  const { facts, signal } = context;
  await facts.settled(signal);
  const stored = leaving.flatMap(({ userGroupId }) => groups.get(userGroupId) ?? []);
  await facts.wait(() => !stored.some((group) => decide(group, "update", context) === "unconfirmed"), signal);
}

function wantedGroup(userGroupId: string, { groups }: UserGroupsArguments): Group {
  const group = groups[userGroupId];
  if (!group) throw new Error("The plan is about a user group that isn't wanted.");
  return { ...group, userGroupId };
}

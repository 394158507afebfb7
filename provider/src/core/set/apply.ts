/** Applies the planned changes of the groups of one resource, and records the state of each group after its requests. */
import { UserGroupError } from "../../errors";
import { onGroup, type ResourceContext } from "../deployment/context";
import { changeGroup } from "../group/changeGroup";
import { createGroup } from "../group/createGroup";
import { decide, deleteCustomer, deleteFormer, ofUpdate } from "../group/deleteGroup";
import { RetainedGroupError } from "../messages/groupErrors";
import { isOver, statedHours, withoutFormer } from "../state/formerGroups";
import { isSameGroup, withoutDrift, type FormerGroup, type Group, type StoredGroup } from "../state/group";
import type { Wanted } from "../state/shapes";
import { eachGroup, type Failures } from "./eachGroup";
import { kindOf, type PlannedChange } from "./plan";

export interface Application {
  readonly plan: readonly PlannedChange[];
  /** userGroupId → group, as the service has confirmed it. Changes with each request. */
  readonly groups: Map<string, StoredGroup>;
  readonly wanted: Wanted;
  readonly context: ResourceContext;
}

/** Changes `groups` to the wanted ones: first those that stay, then those that leave, at last former groups. */
export async function applyPlan(application: Application): Promise<Failures> {
  const { plan, groups, wanted, context } = application;
  const staying = plan.filter((change) => kindOf(change) === "is requested");
  const failures = await eachGroup(staying, context, (change) => applyToGroup(change, application));
  const leaving = plan.filter((change) => kindOf(change) === "leaves");
  const failed = new Set([...failures.failed, ...failures.untried].map(({ userGroupId }) => userGroupId));
  const hasFormer = plan.filter(
    ({ userGroupId }) => groups.get(userGroupId)?.former && !failed.has(userGroupId),
  );
  const mayEnd = hasFormer.filter((change) => change.over.length > 0 || wanted.overlap !== true);
  const dropping = mayEnd.filter(
    (change) => !leaving.includes(change) && endedGroups(change, application).length > 0,
  );
  // A group that leaves may be the one that the program declares with another spelling of its ID.
  const isStopped =
    failures.untried.length > 0 || failures.failed.some(({ error }) => error.code === "wrong-group");
  if (isStopped) return { ...failures, untried: [...failures.untried, ...leaving] };
  if (leaving.length + dropping.length === 0) return failures;
  if (leaving.length > 0) await untilDeclared(context);
  const { failed: others, untried } = await eachGroup([...leaving, ...dropping], context, (change) =>
    applyLast(change, application),
  );
  return { failed: [...failures.failed, ...others], untried };
}

/** The values of groups that no request changes. */
export function takeOverState({ plan, groups, wanted }: Omit<Application, "context">): void {
  for (const change of plan.filter((each) => kindOf(each) === "state only")) {
    const { userGroupId } = change;
    const stored = groups.get(userGroupId);
    if (stored) groups.set(userGroupId, withoutDrift(stored, wantedGroup(userGroupId, wanted)));
  }
}

/** The group stays, or is created. A failure leaves the group in the state that the service is known to have. */
async function applyToGroup(change: PlannedChange, { groups, wanted, context }: Application): Promise<void> {
  const { userGroupId, action } = change;
  const group = wantedGroup(userGroupId, wanted);
  const stored = groups.get(userGroupId);
  try {
    const operation = stored ? "update" : "create";
    const changed = await onGroup(operation, userGroupId, context, (one) => {
      if (!stored) return createGroup(group, wanted, one);
      const record = (now: StoredGroup | undefined) => {
        if (now) groups.set(userGroupId, now);
        else groups.delete(userGroupId);
      };
      return changeGroup({ action, stored, group, shared: wanted, record }, one);
    });
    groups.set(userGroupId, changed);
  } catch (error) {
    noteFailure(userGroupId, error, groups);
    throw error;
  }
}

/** The state keeps the values that it had, and a doubt if a request may have been applied. */
function noteFailure(userGroupId: string, error: unknown, groups: Map<string, StoredGroup>): void {
  if (error instanceof RetainedGroupError) {
    groups.set(userGroupId, error.group);
    return;
  }
  const stored = groups.get(userGroupId);
  if (!stored) return;
  const isPossiblyApplied = !(error instanceof UserGroupError) || error.isPossiblyApplied;
  if (isPossiblyApplied) groups.set(userGroupId, { ...stored, doubt: true });
}

/** A group that leaves, or the former groups of one that stays. */
async function applyLast(change: PlannedChange, application: Application): Promise<void> {
  const { userGroupId } = change;
  const { groups } = application;
  try {
    if (kindOf(change) === "leaves") await removeGroup(change, application);
    else await dropFormer(change, application);
  } catch (error) {
    if (kindOf(change) === "leaves") noteFailure(userGroupId, error, groups);
    throw error;
  }
}

/** The customer is no longer declared. */
async function removeGroup(
  { userGroupId, action }: PlannedChange,
  { groups, context }: Application,
): Promise<void> {
  const departure = { ...ofUpdate, retains: action === "release" };
  await onGroup("delete", userGroupId, context, async (one) => {
    const stored = groups.get(userGroupId);
    if (!stored) return;
    if (decide(stored, departure, one).row === "not got yet") {
      context.warn("not-released", one.client.subject);
      // The other resource may still change the group.
      groups.set(userGroupId, { ...stored, doubt: true });
      return;
    }
    await deleteCustomer(stored, departure, one, (former) => {
      forget(userGroupId, former, groups);
    });
    groups.delete(userGroupId);
  });
}

async function dropFormer(change: PlannedChange, application: Application): Promise<void> {
  const { groups, context } = application;
  const { userGroupId } = change;
  for (const former of endedGroups(change, application))
    await onGroup("delete", userGroupId, context, async (one) => {
      await deleteFormer(former, ofUpdate, one);
      forget(userGroupId, former, groups);
    });
}

function forget(userGroupId: string, former: StoredGroup, groups: Map<string, StoredGroup>): void {
  const stored = groups.get(userGroupId);
  if (stored) groups.set(userGroupId, withoutFormer(stored, former));
}

/** The former groups whose time was over at the plan; without `overlap` also the one that this change has added. */
function endedGroups(
  { userGroupId, over }: PlannedChange,
  { groups, wanted, context }: Application,
): readonly FormerGroup[] {
  const { former = [] } = groups.get(userGroupId) ?? {};
  if (wanted.overlap === true) return former.filter((each) => over.some((one) => isSameGroup(one, each)));
  const stated = statedHours(wanted, wantedGroup(userGroupId, wanted));
  return former.filter((each) => isOver(each, context.clock.date(), stated));
}

/**
 * Programs that run with --skip-preview, as by the Automation API, have no preview that could refuse a move out of this resource. So wait
 * until the program declares nothing more for a moment. It can only turn a deletion into a group that stays.
 */
async function untilDeclared({ clock, facts, signal }: ResourceContext): Promise<void> {
  for (let rounds = 0; rounds < mostRounds; rounds += 1) {
    const before = facts.declarations;
    await clock.sleep(quietMilliseconds, signal).catch(() => undefined);
    if (facts.declarations === before) return;
  }
}

export const quietMilliseconds = 200;
const mostRounds = 25;

function wantedGroup(userGroupId: string, { groups }: Wanted): Group {
  const group = groups.get(userGroupId);
  if (!group) throw new Error("The plan is about a user group that isn't wanted.");
  return group;
}

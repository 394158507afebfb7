/** Applies the planned changes of the groups of one resource, and records the state of each group after its requests. */
import { UserGroupError } from "../../errors";
import { inTurn, untilDeclared, type GroupContext, type ResourceContext } from "../deployment/context";
import { changeGroup } from "../change/changeGroup";
import { createGroup } from "../creation/createGroup";
import { deleteGroup, deleteFormer, departureByUpdate } from "../deletion/deleteGroup";
import { RetainedGroupError } from "../messages/groupErrors";
import type { PlannedChange } from "../change/plan";
import { isSameGroup, type FormerGroup, type StoredGroup } from "../state/group";
import { isExpired, withoutFormer } from "../rotation/overlap";
import type { Wanted } from "../state/shapes";
import { eachGroup, type Failures } from "./eachGroup";

export interface Application {
  readonly plan: readonly PlannedChange[];
  /** userGroupId → group, as the service has confirmed it. Changes with each request. */
  readonly groups: Map<string, StoredGroup>;
  readonly wanted: Wanted;
  readonly context: ResourceContext;
}

/** Changes `groups` to the wanted ones: first those that stay, then those that leave and former groups whose time is over. */
export async function applyPlan(application: Application): Promise<Failures> {
  const { plan, context } = application;
  const staying = plan.filter(({ is }) => is === "create" || is === "request");
  const failures = await eachGroup(staying, context, (change) => applyToGroup(change, application));
  const leaving = plan.filter(({ is }) => is === "leave");
  // A group that leaves may be the one that the program declares with another spelling of its ID.
  const isStopped =
    failures.untried.length > 0 || failures.failed.some(({ error }) => error.code === "wrong-group");
  if (isStopped) return { ...failures, untried: [...failures.untried, ...leaving] };
  const failed = new Set(failures.failed.map(({ userGroupId }) => userGroupId));
  const kept = plan.filter(
    ({ is, userGroupId }) => (is === "request" || is === "record") && !failed.has(userGroupId),
  );
  const dropping = kept.filter((change) => endedGroups(change, application).length > 0);
  if (leaving.length + dropping.length === 0) return failures;
  if (leaving.length > 0) await untilDeclared(context);
  const { failed: others, untried } = await eachGroup([...leaving, ...dropping], context, (change) =>
    change.is === "leave" ? removeGroup(change, application) : dropFormer(change, application),
  );
  return { failed: [...failures.failed, ...others], untried };
}

/** The group stays, or is created. A failure leaves the group in the state that the service is known to have. */
async function applyToGroup(change: PlannedChange, { groups, wanted, context }: Application): Promise<void> {
  const { userGroupId } = change;
  try {
    if (change.is === "create") {
      const work = (one: GroupContext) => createGroup(change.to, wanted, one);
      groups.set(userGroupId, await inTurn("create", userGroupId, context, work));
    }
    if (change.is === "request") {
      const work = (one: GroupContext) => changeGroup({ ...change, shared: wanted, groups }, one);
      groups.set(userGroupId, await inTurn("update", userGroupId, context, work));
    }
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
  const isPossiblyApplied = error instanceof UserGroupError && error.isPossiblyApplied;
  if (stored && isPossiblyApplied) groups.set(userGroupId, { ...stored, doubt: true });
}

/** The customer is no longer declared. */
async function removeGroup(
  change: Extract<PlannedChange, { readonly is: "leave" }>,
  { groups, context }: Application,
): Promise<void> {
  const { userGroupId, how } = change;
  const departure = { ...departureByUpdate, retains: how === "retain" };
  try {
    await inTurn("delete", userGroupId, context, async (one) => {
      const stored = groups.get(userGroupId);
      if (!stored) return;
      await deleteGroup(stored, departure, one, (former) => {
        forget(userGroupId, former, groups);
      });
      groups.delete(userGroupId);
    });
  } catch (error) {
    noteFailure(userGroupId, error, groups);
    throw error;
  }
}

async function dropFormer(change: PlannedChange, application: Application): Promise<void> {
  const { groups, context } = application;
  const { userGroupId } = change;
  for (const former of endedGroups(change, application))
    await inTurn("delete", userGroupId, context, async (one) => {
      await deleteFormer(former, departureByUpdate, one);
      forget(userGroupId, former, groups);
    });
}

function forget(userGroupId: string, former: StoredGroup, groups: Map<string, StoredGroup>): void {
  const stored = groups.get(userGroupId);
  if (stored) groups.set(userGroupId, withoutFormer(stored, former));
}

/** The former groups that the plan ends; without `overlap` also the one that this change has added. */
function endedGroups(
  change: PlannedChange,
  { groups, wanted, context }: Application,
): readonly FormerGroup[] {
  const { former = [] } = groups.get(change.userGroupId) ?? {};
  if (wanted.overlap === true && change.expired.length === 0) return [];
  const now = context.clock.date();
  return former.filter(
    (each) =>
      change.expired.some((one) => isSameGroup(one, each)) ||
      (wanted.overlap !== true && isExpired(each, now)),
  );
}

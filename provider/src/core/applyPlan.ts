/** Applies the planned changes of a `UserGroups`, and updates the state after each request. */
import type { UserGroupsArguments } from "./arguments";
import { eachGroup, type Failures } from "./eachGroup";
import type { Group } from "./storedGroup";
import { onGroup } from "./groupContext";
import { createGroup, deleteGroup, updateGroup } from "./groupOperations";
import { planChanges, type Action, type PlannedChange } from "./groupPlan";
import type { GroupsState } from "./groupsState";
import type { Dependencies } from "./lifecycle";
import type { Service } from "./services";
import { withWarnings, type Warn } from "./warnings";

interface Application {
  readonly state: GroupsState;
  readonly wanted: UserGroupsArguments;
  readonly service: Service;
  readonly dependencies: Pick<Dependencies, "tracker"> & { readonly warn: Warn };
}

/** Changes the groups of `state` to the wanted ones. A group that fails stays in `state` as the service has it. */
export async function applyPlan(
  state: GroupsState,
  wanted: UserGroupsArguments,
  service: Service,
  dependencies: Dependencies,
): Promise<Failures> {
  const olds = Object.fromEntries(state.groups.map((group) => [group.userGroupId, group]));
  const { changes, maxConnections } = service.settings;
  const plan = planChanges(olds, wanted.groups, { changes, removed: wanted.removed });
  for (const change of plan.filter(({ action }) => stateActions.has(action)))
    changeState(change, state, wanted);
  const requested = plan.filter(({ action }) => !stateActions.has(action));
  return withWarnings(dependencies.logger, (warn) => {
    const application = { state, wanted, service, dependencies: { ...dependencies, warn } };
    return eachGroup(requested, (change) => apply(change, application), { ...dependencies, maxConnections });
  });
}

/** Actions without a request. */
const stateActions: ReadonlySet<Action> = new Set(["keep", "change state", "release"]);

function changeState(
  { userGroupId, action }: PlannedChange,
  state: GroupsState,
  wanted: UserGroupsArguments,
): void {
  const stored = state.group(userGroupId);
  if (action === "release") state.remove(userGroupId);
  else if (stored) {
    const { token, adopted, shown, sent } = stored;
    state.put({ ...wantedGroup(userGroupId, wanted), token, adopted, shown, sent });
  }
}

async function apply({ userGroupId, action }: PlannedChange, application: Application): Promise<void> {
  const { state, service, dependencies, wanted } = application;
  const stored = state.group(userGroupId);
  if (stored && action === "update") {
    const group = wantedGroup(userGroupId, wanted);
    state.put(
      await onGroup("update", userGroupId, service, dependencies, (context) =>
        updateGroup(stored, group, context),
      ),
    );
    return;
  }
  if (stored) {
    await onGroup("delete", userGroupId, service, dependencies, (context) =>
      deleteGroup(stored, context, action === "recreate"),
    );
    state.remove(userGroupId);
  }
  if (action !== "delete") await create(userGroupId, application);
}

async function create(userGroupId: string, application: Application): Promise<void> {
  const { state, service, dependencies, wanted } = application;
  const group = wantedGroup(userGroupId, wanted);
  state.put(
    await onGroup("create", userGroupId, service, dependencies, (context) =>
      createGroup(group, wanted.adopt ?? true, context),
    ),
  );
}

function wantedGroup(userGroupId: string, { groups }: UserGroupsArguments): Group {
  const group = groups[userGroupId];
  if (!group) throw new Error("The plan is about a user group that isn't wanted.");
  return { ...group, userGroupId };
}

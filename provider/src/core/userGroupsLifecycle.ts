/**
 * The lifecycle of `UserGroups`: that of `UserGroup`, for many groups in one resource. For each group:
 *
 * | operation   | request                                                                                     |
 * | ----------- | ------------------------------------------------------------------------------------------- |
 * | check, diff | none                                                                                        |
 * | create      | GET                                                                                         |
 * | read        | GET                                                                                         |
 * | update      | added: GET; removed: DELETE; changed: DELETE and GET, or GET with `changes: update`         |
 * | delete      | DELETE                                                                                      |
 */
import type { Subject } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import { findIssues, type ValidationIssue } from "../validation";
import { isObject, propertiesOf, type JsonObject } from "../values";
import { applyPlan } from "./applyPlan";
import { connectionIn, parseArguments, userGroupsArguments } from "./arguments";
import { declarationIssues } from "./declarations";
import { eachGroup, type Failures } from "./eachGroup";
import type { StoredGroup } from "./storedGroup";
import { onGroup } from "./groupContext";
import { deleteGroup, readGroup, type GroupContext } from "./groupOperations";
import { sizeIssues } from "./groupsLimit";
import { GroupsState } from "./groupsState";
import type { CheckRequest, Dependencies, Lifecycle } from "./lifecycle";
import { isComplete, stateOfFailures, unrecordedFailure } from "./partialFailure";
import { openService, openServiceOf, type Service } from "./services";
import { parseUserGroupsState } from "./state";
import { diffUserGroups } from "./userGroupsDiff";
import { withWarnings } from "./warnings";

/** The physical ID is constant: the service doesn't know this kind of resource, and each group has its own ID. */
const resourceId = "user-groups";

export function userGroupsLifecycle(dependencies: Dependencies): Lifecycle {
  return {
    check: (request) => check(request, dependencies),
    diff: (request) => diffUserGroups(request, dependencies),

    async create(inputs) {
      const wanted = parseArguments(userGroupsArguments, inputs);
      const service = openService(dependencies, wanted.connection);
      const state = new GroupsState();
      const failures = await applyPlan(state, wanted, service, dependencies);
      if (!isComplete(failures) && state.groups.length === 0) throw unrecordedFailure(failures, "create");
      const created = { id: resourceId, state: state.outputs(wanted, service.settings.baseUrl) };
      return stateOfFailures(created, failures, "create", dependencies.logger);
    },

    async read(id, olds) {
      const former = parseUserGroupsState(olds);
      const state = GroupsState.from(former);
      const service = openServiceOf(former, dependencies, "read these user groups");
      const failures = await onEach("read", state, service, dependencies, async (stored, context) => {
        state.put(await readGroup(stored, context));
      });
      if (!isComplete(failures)) throw unrecordedFailure(failures, "read");
      return { id, state: state.outputs(former, service.settings.baseUrl), inputs: state.inputs(former) };
    },

    async update(id, olds, news) {
      const wanted = parseArguments(userGroupsArguments, news);
      const former = parseUserGroupsState(olds);
      const state = GroupsState.from(former);
      const service = openServiceOf(
        { ...former, connection: wanted.connection },
        dependencies,
        "update these user groups",
      );
      const failures = await applyPlan(state, wanted, service, dependencies);
      const updated = { id, state: state.outputs(wanted, service.settings.baseUrl) };
      return stateOfFailures(updated, failures, "update", dependencies.logger);
    },

    async delete(_id, olds) {
      const former = parseUserGroupsState(olds);
      const service = openServiceOf(former, dependencies, "delete these user groups");
      const state = GroupsState.from(former);
      const failures = await onEach("delete", state, service, dependencies, deleteGroup);
      if (!isComplete(failures)) throw unrecordedFailure(failures, "delete");
    },
  };
}

function check({ resource, olds, news }: CheckRequest, dependencies: Dependencies): ValidationIssue[] {
  const inputs = propertiesOf(news);
  const connection = connectionIn(inputs);
  const settings = readPartialSettings(dependencies.sources, connection);
  const declared = { resource, groups: groupsIn(inputs), recorded: groupsIn(propertiesOf(olds)) };
  return [
    ...findIssues(userGroupsArguments, inputs),
    ...(isObject(inputs["groups"]) ? sizeIssues(inputs["groups"]) : []),
    ...declarationIssues(declared, { ...dependencies, settings, connection }),
  ];
}

function groupsIn({ groups }: JsonObject): [string, JsonObject][] {
  return Object.entries(isObject(groups) ? groups : {}).map(([userGroupId, group]) => [
    userGroupId,
    propertiesOf(group),
  ]);
}

/** Works on each group of the state, and logs the warnings. */
function onEach(
  operation: Subject["operation"],
  state: GroupsState,
  service: Service,
  dependencies: Dependencies,
  work: (stored: StoredGroup, context: GroupContext) => Promise<void>,
): Promise<Failures> {
  const { maxConnections } = service.settings;
  return withWarnings(dependencies.logger, (warn) =>
    eachGroup(
      state.groups,
      (stored) =>
        onGroup(operation, stored.userGroupId, service, { ...dependencies, warn }, (context) =>
          work(stored, context),
        ),
      { ...dependencies, maxConnections },
    ),
  );
}

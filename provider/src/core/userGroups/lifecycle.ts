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
import { firstFew, type Subject } from "../../errors";
import { readPartialSettings } from "../../settings/readSettings";
import type { ValidationIssue } from "../../validation";
import { isObject, propertiesOf, type JsonObject } from "../../values";
import { argumentIssues, connectionIn, parseArguments, userGroupsArguments } from "../arguments";
import { declareGroups } from "../deployment/declarations";
import { onGroup, type GroupContext, type ResourceContext } from "../group/context";
import { decide, deleteGroup, isCleanedUp, readGroup } from "../group/operations";
import type { StoredGroup } from "../group/storedGroup";
import { withWarnings } from "../group/warnings";
import type { CheckRequest, Deployment, Lifecycle } from "../lifecycle";
import { openService, openServiceOf, type Service } from "../services";
import { parseUserGroupsState, type UserGroupsState } from "../state";
import { applyPlan } from "./apply";
import { diffUserGroups } from "./diff";
import { eachGroup, type Failures } from "./eachGroup";
import { GroupsState } from "./groupsState";
import { isComplete, nothingFound, stateOfFailures, stateOfRead, unrecordedFailure } from "./partialFailure";
import { assertWithinLimit } from "./plan";
import { sizeIssues } from "./sizeLimit";

/** The physical ID is constant: the service doesn't know this kind of resource, and each group has its own ID. */
const resourceId = "user-groups";

export function userGroupsLifecycle(deployment: Deployment): Lifecycle {
  const { logger, facts } = deployment;
  return {
    check: (request) => check(request, deployment),
    diff: (request) => diffUserGroups(request, deployment),

    async create(inputs) {
      const wanted = parseArguments(userGroupsArguments, inputs);
      const service = openService(deployment, wanted.connection);
      const state = new GroupsState();
      const failures = await inContext(service, deployment, (context) => applyPlan(state, wanted, context));
      if (!isComplete(failures) && state.groups.length === 0) throw unrecordedFailure(failures, "create");
      const created = { id: resourceId, state: state.outputs(wanted, service.settings.baseUrl) };
      return stateOfFailures(created, failures, "create", logger);
    },

    async read(id, olds) {
      const former = parseUserGroupsState(olds);
      const state = GroupsState.from(former);
      const service = openServiceOf(former, deployment, "read these user groups");
      const recreated: StoredGroup[] = [];
      const failures = await onEach("read", state.groups, service, deployment, async (stored, context) => {
        const { group, isNew } = await readGroup(stored, context);
        state.put(group);
        if (isNew) recreated.push(group);
      });
      const stop = failures.failed.find(({ error }) => error.code === "nothing-found");
      if (stop) throw nothingFound(stop.error, await notCleanedUp(recreated, service, deployment));
      const read = {
        id,
        state: state.outputs(former, service.settings.baseUrl),
        inputs: state.inputs(former),
      };
      return stateOfRead(read, failures, state.groups.length, logger);
    },

    async update(id, olds, news) {
      const wanted = parseArguments(userGroupsArguments, news);
      const former = parseUserGroupsState(olds);
      const state = GroupsState.from(former);
      const service = openServiceOf(
        { ...former, connection: wanted.connection },
        deployment,
        "update these user groups",
      );
      const failures = await inContext(service, deployment, (context) => applyPlan(state, wanted, context));
      const updated = { id, state: state.outputs(wanted, service.settings.baseUrl) };
      return stateOfFailures(updated, failures, "update", logger);
    },

    async delete(_id, olds) {
      const former = parseUserGroupsState(olds);
      const service = openServiceOf(former, deployment, "delete these user groups");
      const { groups } = GroupsState.from(former);
      const isDestroy = deployment.isDestroy() ?? !facts.hasProgram;
      const deleted = isDestroy ? groups : withinRails(groups, former, service, deployment);
      if (deleted.length > 1) {
        const ids = firstFew(deleted.map(({ userGroupId }) => userGroupId));
        logger.info(`user groups to delete with their resource: ${deleted.length} (${ids}).`);
      }
      const failures = await onEach("delete", deleted, service, deployment, (stored, context) =>
        deleteGroup(stored, "engine", context),
      );
      if (!isComplete(failures)) throw unrecordedFailure(failures, "delete");
    },
  };
}

function check({ resource, olds, news }: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(news);
  readPartialSettings(deployment.sources, connectionIn(inputs));
  return [
    ...argumentIssues(userGroupsArguments, inputs),
    ...(isObject(inputs["groups"]) ? sizeIssues(inputs["groups"]) : []),
    ...declareGroups({ resource, inputs, olds, groups: groupsIn(inputs) }, deployment),
  ];
}

function groupsIn({ groups }: JsonObject): [string, JsonObject][] {
  return Object.entries(isObject(groups) ? groups : {}).map(([userGroupId, group]) => [
    userGroupId,
    propertiesOf(group),
  ]);
}

/**
 * In an update, `removed` and `deletionLimit` of a state also hold if the whole resource goes: it is renamed, replaced or left
 * out of the program. Returns the groups whose deletion is allowed. Error: deletion-limit.
 */
function withinRails(
  groups: readonly StoredGroup[],
  { removed, deletionLimit }: UserGroupsState,
  service: Service,
  deployment: Deployment,
): readonly StoredGroup[] {
  const deleted = groups.filter((stored) => decide(stored, "engine", { deployment, service }) === "delete");
  const ids = deleted.map(({ userGroupId }) => userGroupId);
  if (removed === "retain") {
    if (deleted.length > 0)
      deployment.logger.warn(
        `${deleted.length} user groups stay in the service without a resource, because the state has removed: "retain" ` +
          `(${firstFew(ids)}).`,
      );
    return groups.filter((stored) => !deleted.includes(stored));
  }
  const remedy =
    "The resource's state has this limit. To delete the groups, first raise deletionLimit in an update of the resource, then " +
    "remove it.";
  assertWithinLimit(ids, deletionLimit, remedy);
  return groups;
}

/** Deletes the groups that a refresh has created. Returns those that are left. */
async function notCleanedUp(
  groups: readonly StoredGroup[],
  service: Service,
  deployment: Deployment,
): Promise<string[]> {
  const left: string[] = [];
  await onEach("delete", groups, service, deployment, async (stored, { client }) => {
    if (!(await isCleanedUp(stored, stored.token, client))) left.push(stored.userGroupId);
  });
  return left;
}

/** Runs an operation on the groups of a resource, and logs its warnings. */
function inContext<Result>(
  service: Service,
  deployment: Deployment,
  work: (context: ResourceContext) => Promise<Result>,
): Promise<Result> {
  return withWarnings(deployment.logger, (warn) => work({ service, deployment, warn }));
}

function onEach(
  operation: Subject["operation"],
  groups: readonly StoredGroup[],
  service: Service,
  deployment: Deployment,
  work: (stored: StoredGroup, context: GroupContext) => Promise<void>,
): Promise<Failures> {
  const { maxConnections } = service.settings;
  return inContext(service, deployment, (context) =>
    eachGroup(
      groups,
      (stored) => onGroup(operation, stored.userGroupId, context, (one) => work(stored, one)),
      { ...deployment, maxConnections },
    ),
  );
}

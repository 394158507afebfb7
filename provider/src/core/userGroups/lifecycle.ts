/** The lifecycle of `UserGroups`: that of `UserGroup`, for many groups in one resource. */
import { firstFew, UserGroupError } from "../../errors";
import { findIssues, type ValidationIssue } from "../../validation";
import { isObject, propertiesOf } from "../../values";
import { parseArguments, userGroupsArguments, type UserGroupsArguments } from "../arguments";
import { declareGroups } from "../deployment/declarations";
import { onGroup, onResource, type ResourceContext } from "../group/context";
import { decide, deleteGroup, isCleanedUp, readGroup } from "../group/operations";
import type { RecordedGroup } from "../group/recordedGroup";
import type { CheckRequest, Deployment, Lifecycle } from "../lifecycle";
import type { Location } from "../services";
import { parseUserGroups, userGroupsResult } from "../state";
import { applyPlan } from "./apply";
import { diffUserGroups } from "./diff";
import { eachGroup } from "./eachGroup";
import { isComplete, unrecordedFailure, warnOfFailures, withFailures } from "./partialFailure";
import { assertWithinLimit } from "./plan";
import { sizeIssues } from "./sizeLimit";

/** The physical ID is constant: the service doesn't know this kind of resource, and each group has its own ID. */
const resourceId = "user-groups";

const subject = "these user groups";

export function userGroupsLifecycle(deployment: Deployment): Lifecycle {
  const apply = (
    operation: "create" | "update",
    id: string,
    groups: Map<string, RecordedGroup>,
    wanted: UserGroupsArguments,
    location: Location,
  ) =>
    onResource(`${operation} ${subject}`, location, deployment, async (context) => {
      const failures = await applyPlan({ groups, wanted, context });
      const isRecorded = operation === "update" || isComplete(failures) || groups.size > 0;
      if (!isRecorded) throw unrecordedFailure(failures, operation);
      const { state } = userGroupsResult(groups, wanted, context.settings.baseUrl);
      return withFailures({ id, state }, failures, operation, deployment.logger);
    });
  return {
    check: (request) => check(request, deployment),
    diff: (request) => diffUserGroups(request, deployment),

    async create(inputs) {
      const wanted = parseArguments(userGroupsArguments, inputs);
      return apply("create", resourceId, new Map(), wanted, wanted);
    },

    async read(id, olds) {
      const former = parseUserGroups(olds);
      return onResource(`read ${subject}`, former, deployment, async (context) => {
        await readGroups(former.groups, context);
        return { id, ...userGroupsResult(former.groups, former, context.settings.baseUrl) };
      });
    },

    async update(id, olds, news) {
      const wanted = parseArguments(userGroupsArguments, news);
      const { groups, baseUrl } = parseUserGroups(olds);
      return apply("update", id, groups, wanted, { baseUrl, connection: wanted.connection });
    },

    async delete(_id, olds) {
      const former = parseUserGroups(olds);
      await onResource(`delete ${subject}`, former, deployment, (context) => deleteGroups(former, context));
    },
  };
}

function check(request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(request.news);
  const groups = isObject(inputs["groups"]) ? inputs["groups"] : {};
  const declared = Object.entries(groups).map(([id, group]) => [id, propertiesOf(group)] as const);
  return [
    ...findIssues(userGroupsArguments, inputs),
    ...sizeIssues(groups),
    ...declareGroups(request, declared, deployment),
  ];
}

/** Replaces each group by what was read. Errors: nothing-found; partial-failure, if nothing was read. */
async function readGroups(groups: Map<string, RecordedGroup>, context: ResourceContext): Promise<void> {
  const created: RecordedGroup[] = [];
  const failures = await eachGroup([...groups.values()], context, (stored) =>
    onGroup("read", stored.userGroupId, context, async (one) => {
      const { group, isNew } = await readGroup(stored, one);
      groups.set(stored.userGroupId, group);
      if (isNew) created.push(group);
    }),
  );
  const stop = failures.failed.find(({ error }) => error.code === "nothing-found")?.error;
  if (stop) throw new UserGroupError(stop.code, stop.sentence + (await cleanedUp(created, context)));
  const isNothingRead = failures.failed.length + failures.untried.length === groups.size;
  if (!isComplete(failures) && isNothingRead) throw unrecordedFailure(failures, "read");
  warnOfFailures(failures, context.logger);
}

/** Deletes the groups that a refresh has created. Returns a sentence about those that are left. */
async function cleanedUp(groups: readonly RecordedGroup[], context: ResourceContext): Promise<string> {
  const left: RecordedGroup[] = [];
  await eachGroup(groups, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, async ({ client }) => {
      if (!(await isCleanedUp(stored, stored.token, client))) left.push(stored);
    }),
  );
  return left.length > 0 ? ` It created groups that could not be deleted again: ${firstFew(left)}.` : "";
}

type State = ReturnType<typeof parseUserGroups>;

async function deleteGroups(state: State, context: ResourceContext): Promise<void> {
  const { isDestroy, facts, logger } = context;
  const groups = [...state.groups.values()];
  const deleted = (isDestroy() ?? !facts.hasProgram) ? groups : withinRails(groups, state, context);
  if (deleted.length > 1)
    logger.info(`user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`);
  const failures = await eachGroup(deleted, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, (one) => deleteGroup(stored, "engine", one)),
  );
  if (!isComplete(failures)) throw unrecordedFailure(failures, "delete");
}

/** In an update, `removed` and `deletionLimit` of a state also hold if the whole resource goes. Error: deletion-limit. */
function withinRails(groups: readonly RecordedGroup[], state: State, context: ResourceContext) {
  const deleted = groups.filter((stored) => decide(stored, "engine", context) === "delete");
  if (state.removed !== "retain") {
    const remedy =
      "The resource's state has this limit. To delete the groups, restore the resource, raise deletionLimit in an update of it, " +
      "then remove it.";
    assertWithinLimit(deleted, state.deletionLimit, remedy);
    return groups;
  }
  if (deleted.length > 0)
    context.logger.warn(
      `${deleted.length} user groups stay in the service without a resource, because the state has removed: "retain" ` +
        `(${firstFew(deleted)}).`,
    );
  return groups.filter((stored) => !deleted.includes(stored));
}

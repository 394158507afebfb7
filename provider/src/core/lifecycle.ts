/**
 * The lifecycle of both kinds of resources: check, diff, create, read, update, delete, and the outputs of a preview. Adapters call it for
 * the engine. A create is read from here down: set/apply.ts, group/createGroup.ts, deployment/createTable.ts.
 */
import { readPartialSettings } from "../settings/readSettings";
import { findIssues, type ValidationIssue } from "../validation";
import { isEqual, propertiesOf, type JsonObject } from "../values";
import { accountOf, proveAccount } from "./deployment/account";
import { onResource, type Deployment } from "./deployment/context";
import { announce, announceClaims, announceCreation } from "./set/announce";
import { applyPlan, takeOverState } from "./set/apply";
import { diffOf, enforceLimits, planDiff, type Diff, type DiffRequest } from "./set/diff";
import { announceAccount, declareGroups, recordDiff, type CheckRequest } from "./set/knowledge";
import {
  isComplete,
  onlyFailure,
  unrecordedFailure,
  withFailures,
  type ResourceState,
} from "./set/partialFailure";
import * as plans from "./set/plan";
import { previewedOutputs } from "./set/preview";
import { readResource, type ReadRequest, type ReadResult } from "./set/read";
import { deleteResource, type StateRequest } from "./set/remove";
import { sizeIssues } from "./set/sizeLimit";
import type { Resource } from "./state/resource";
import type { Shape, State, Wanted } from "./state/shapes";

export type { CheckRequest, Diff, DiffRequest, ReadRequest, ReadResult, ResourceState, StateRequest };

/** The operations on one kind of resource. check, diff and preview send no request and need no credentials. */
export interface Lifecycle {
  /** Returns the issues of the arguments. Error: setting-invalid. */
  check(request: CheckRequest): ValidationIssue[];
  /** Errors: deletion-limit, groups-too-large, service-changed, setting-invalid, state-invalid. */
  diff(request: DiffRequest): Diff;
  /** The outputs that a preview shows. `olds`: the outputs in the state; undefined for a new resource. */
  preview(id: string, news: JsonObject, olds?: JsonObject): JsonObject;
  create(request: { readonly resource: Resource; readonly inputs: JsonObject }): Promise<ResourceState>;
  /** A state without a token, or that of an earlier lookup: a lookup of a group that must exist. Error: no-such-group. */
  read(request: ReadRequest): Promise<ReadResult>;
  update(request: StateRequest & { readonly news: JsonObject }): Promise<ResourceState>;
  delete(request: StateRequest): Promise<void>;
}

export function lifecycleOf(shape: Shape, deployment: Deployment): Lifecycle {
  return {
    check: (request) => check(shape, request, deployment),
    diff: (request) => diff(shape, request, deployment),
    preview: (id, news, olds) =>
      previewedOutputs(shape, { id, news, olds }, deployment.sources, deployment.clock.date()),
    async create({ resource, inputs }) {
      const wanted = shape.parseInputs(inputs);
      const former = { groups: new Map(), connection: wanted.connection };
      return change(
        shape,
        { operation: "create", resource, id: shape.idOf(wanted), former, wanted },
        deployment,
      );
    },
    async update({ resource, id, state, news }) {
      const former = shape.parseState(id, state);
      const wanted = shape.parseInputs(news);
      return change(shape, { operation: "update", resource, id, former, wanted }, deployment);
    },
    read: (request) => readResource(shape, request, deployment),
    delete: (request) => deleteResource(shape, request, deployment),
  };
}

/** An issue of check ends the preview, and so the `up`. */
function check(shape: Shape, request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(request.news);
  // Also invalid arguments declare their groups, so that no other resource deletes them in this deployment.
  const others = declareGroups(shape, { ...request, news: inputs }, deployment);
  const issues = [...findIssues(shape.arguments, inputs), ...(shape.isOne ? [] : sizeIssues(inputs))];
  if (issues.length > 0) return issues;
  const { groups } = shape.wantedIn(inputs);
  const isNew = Object.keys(request.olds).length === 0 && !deployment.facts.knows(request.resource);
  if (!shape.isOne && groups && isNew) announceCreation([...groups.keys()], deployment.logger);
  return others;
}

/** What the diff says is announced and recorded only while a program runs: a refresh calls it, too, and uses nothing of it. */
function diff(shape: Shape, request: DiffRequest, deployment: Deployment): Diff {
  const planned = planDiff(shape, request, deployment);
  if (deployment.facts.declarations > 0) {
    announceAccount(planned, deployment);
    enforceLimits(planned);
    announce(shape, planned, deployment.logger);
    recordDiff(shape, request.resource, planned, deployment);
  }
  return diffOf(shape, request, planned);
}

/** The change of a resource from a state to the wanted groups. */
interface Change {
  readonly operation: "create" | "update";
  readonly resource: Resource;
  readonly id: string;
  readonly former: State;
  readonly wanted: Wanted;
}

/** create and update: plans the change of the groups, and applies the plan. */
async function change(shape: Shape, request: Change, deployment: Deployment): Promise<ResourceState> {
  const { operation, resource, id, former, wanted } = request;
  const { connection } = wanted;
  const { changes, baseUrl = former.baseUrl } = readPartialSettings(deployment.sources, connection);
  const plan = plans.planChanges(former.groups, wanted, { changes, now: deployment.clock.date() });
  const groups = new Map(former.groups);
  announceClaims(plan, former, deployment.logger);
  if (operation === "update" && !plan.some(plans.isRequest)) {
    takeOverState({ plan, groups, wanted });
    return { id, state: shape.stateOf({ ...wanted, groups, baseUrl, account: former.account }) };
  }
  const subject = `${operation} ${shape.subject(id)}`;
  return onResource(
    { resource, subject, location: { ...former, connection } },
    deployment,
    async (context) => {
      await proveAccount({ ...former, groups: [...former.groups.values()] }, subject, context);
      const failures = await applyPlan({ plan, groups, wanted, context });
      const hasAll = [...groups.keys()].every((userGroupId) => wanted.groups.has(userGroupId));
      const incomplete = isComplete(failures) && hasAll ? undefined : true;
      if (!isComplete(failures) && !isWorthRecording(shape, request, groups))
        throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, operation, plan.length);
      const { settings, logger } = context;
      const account = accountOf(settings);
      const state = shape.stateOf({ ...wanted, groups, baseUrl: settings.baseUrl, account, incomplete });
      return withFailures({ id, state }, failures, { operation, isOne: shape.isOne, logger });
    },
  );
}

/** A failed change of one group is recorded only if it has changed the state. An empty state is recorded by an update only. */
function isWorthRecording(shape: Shape, { operation, former }: Change, groups: State["groups"]): boolean {
  if (operation === "create") return groups.size > 0;
  return !shape.isOne || !isEqual([...former.groups.values()], [...groups.values()]);
}

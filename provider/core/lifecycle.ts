/**
 * The lifecycle of both kinds of resources: check, diff, create, read, update, delete, and the outputs of a preview. Adapters call it for
 * the engine. A create is read from here down: resource/apply.ts, creation/createGroup.ts.
 */
import { firstFew } from "../errors";
import type { ValidationIssue } from "../validation";
import { isEqual, propertiesOf, type JsonObject, type Resource } from "../values";
import { inService, inTurn, type Deployment } from "./deployment/context";
import { digestOf, proveCreation, proveState } from "./deployment/proof";
import { decideDeparture, deleteGroup } from "./deletion/deleteGroup";
import { aboveDeletionLimit } from "./messages/groupErrors";
import { planChanges, sendsRequest } from "./change/plan";
import { announce } from "./resource/announce";
import { applyPlan } from "./resource/apply";
import { check, type CheckRequest } from "./resource/check";
import {
  announceCredentials,
  diffOf,
  enforceGuards,
  planDiff,
  recordDiff,
  type Diff,
  type DiffRequest,
} from "./resource/diff";
import {
  eachGroup,
  isComplete,
  onlyFailure,
  partialFailure,
  unrecordedFailure,
  type ResourceState,
} from "./resource/eachGroup";
import { previewedOutputs } from "./resource/previewOutputs";
import { readResource, type ReadRequest, type ReadResult, type StateRequest } from "./resource/refresh";
import { storedAsTakenOver, type StoredGroup } from "./state/group";
import type { Shape, State, Wanted } from "./state/shapes";

/** The operations on one kind of resource. check, diff and preview send no request and need no credentials. */
export interface Lifecycle {
  /** Returns the issues of the arguments. Error: setting-invalid. */
  check(request: CheckRequest): ValidationIssue[];
  /**
   * Errors: deletion-limit, groups-too-large, guard-dropped, mapping-conflict, removed-elsewhere, service-changed, setting-invalid,
   * state-invalid.
   */
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
    preview: (id, news, olds) => previewedOutputs(shape, { id, news, olds }, deployment),
    async create({ resource, inputs }) {
      const wanted = shape.parseInputs(inputs);
      const change = { operation: "create", resource, id: wanted.id, before: none, wanted } as const;
      return applyChange(shape, change, deployment);
    },
    async update({ resource, id, state, news }) {
      const before = shape.parseState(id, state);
      const change = { operation: "update", resource, id, before, wanted: shape.parseInputs(news) } as const;
      return applyChange(shape, change, deployment);
    },
    read: (request) => readResource(shape, request, deployment),
    delete: (request) => deleteResource(shape, request, deployment),
  };
}

/** What the diff says is announced and recorded only while a program runs: a refresh calls it, too, and uses nothing of it. */
function diff(shape: Shape, request: DiffRequest, deployment: Deployment): Diff {
  const { facts } = deployment;
  if (request.before !== undefined) facts.rename(request.before, request.resource);
  const state = shape.parseState(request.id, propertiesOf(request.olds));
  const wanted = shape.wantedIn(propertiesOf(request.news));
  const plannedDiff = planDiff(shape, { request, state, wanted }, deployment);
  if (facts.hasProgram) {
    announceCredentials(plannedDiff, deployment);
    enforceGuards(shape, plannedDiff, deployment);
    announce(shape, plannedDiff, deployment.logger);
    recordDiff(shape, plannedDiff, deployment);
  }
  return diffOf(shape, plannedDiff);
}

/** The change of a resource from a state to the wanted groups. */
interface ResourceChange {
  readonly operation: "create" | "update";
  readonly resource: Resource;
  readonly id: string;
  readonly before: State;
  readonly wanted: Wanted;
}

const none: State = { groups: new Map<string, StoredGroup>() };

/** create and update. A change of the state only needs no credentials. */
async function applyChange(
  shape: Shape,
  change: ResourceChange,
  deployment: Deployment,
): Promise<ResourceState> {
  const { operation, resource, id, before, wanted } = change;
  const { changes, baseUrl: address = before.baseUrl } = deployment.settings.partial();
  const plan = planChanges(before.groups, { wanted, changes, now: deployment.clock.date() });
  const groups = new Map(before.groups);
  for (const each of plan)
    if (each.is === "record") groups.set(each.userGroupId, storedAsTakenOver(each.from, each.to));
  if (operation === "update" && !plan.some(sendsRequest)) {
    const { credentialsDigest } = before;
    return { id, state: shape.serializeState({ ...wanted, groups, baseUrl: address, credentialsDigest }) };
  }
  const target = { resource, subject: `${operation} ${shape.subject(id)}`, baseUrl: before.baseUrl };
  return inService(target, deployment, async (context) => {
    const { settings, logger } = context;
    if (operation === "create") await proveCreation(plan, context);
    else await proveState(before, context);
    const failures = await applyPlan({ plan, groups, wanted, context });
    const isDone = isComplete(failures);
    if (!isDone && !isWorthRecording(shape, change, groups))
      throw shape.isOne ? onlyFailure(failures) : unrecordedFailure(failures, operation, plan.length);
    const { baseUrl } = settings;
    const hasAll = [...groups.keys()].every((userGroupId) => wanted.groups.has(userGroupId));
    const incomplete = isDone && hasAll ? undefined : true;
    const credentialsDigest = digestOf(settings);
    const state = shape.serializeState({ ...wanted, groups, baseUrl, credentialsDigest, incomplete });
    const failure = isDone ? undefined : partialFailure(failures, operation, shape.isOne, logger);
    return { id, state, failure };
  });
}

/** A failed change of one group is recorded only if it has changed the state. An empty state is recorded by an update only. */
function isWorthRecording(
  shape: Shape,
  { operation, before }: ResourceChange,
  groups: State["groups"],
): boolean {
  if (operation === "create") return groups.size > 0;
  return !shape.isOne || !isEqual([...before.groups.values()], [...groups.values()]);
}

/**
 * Decides on all groups before the first request. The state's guards hold, whatever the command; with a replacement, those that the program
 * states. Errors: deletion-limit; those of the table of deletions.
 */
async function deleteResource(
  shape: Shape,
  { resource: stored, id, state: properties }: StateRequest,
  deployment: Deployment,
): Promise<void> {
  const { facts, logger } = deployment;
  const resource = facts.presentOf(stored);
  const state = shape.parseState(id, properties);
  const groups = [...state.groups.values()];
  const program = facts.guardsOf(resource);
  const retains = (program?.removed ?? state.removed) === "retain";
  const limit = program?.deletionLimit ?? state.deletionLimit;
  const departure = { isUpdate: false, overlaps: state.overlap === true, retains };
  const target = { resource, subject: `delete ${shape.subject(id)}`, baseUrl: state.baseUrl };
  const failures = await inService(target, deployment, async (context) => {
    await proveState(state, context);
    const deleted = groups.filter((each) => {
      const decisions = decideDeparture(each, departure, context);
      return decisions.at(-1)?.decision.row === "delete";
    });
    if (typeof limit === "number" && deleted.length > limit) {
      const leaving = deleted.map(({ userGroupId }) => ({ is: "leave", userGroupId }));
      throw aboveDeletionLimit(leaving, limit, program ? "limit-of-replacement" : "limit-of-state");
    }
    if (!shape.isOne && deleted.length > 1)
      logger.info(`user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`);
    return eachGroup(groups, context, (each) =>
      inTurn("delete", each.userGroupId, context, (one) => deleteGroup(each, departure, one)),
    );
  });
  if (isComplete(failures)) return;
  throw shape.isOne ? onlyFailure(failures) : unrecordedFailure(failures, "delete", groups.length);
}

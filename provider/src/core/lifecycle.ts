/**
 * The lifecycle of both kinds of resources: check, diff, create, read, update, delete, and the outputs of a preview. A change is
 * planned (plan.ts), told to the claims (claims.ts), and applied (apply.ts). Adapters call it for the engine.
 */
import type { UserGroupError } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import { findIssues, type ValidationIssue } from "../validation";
import { propertiesOf, type JsonObject } from "../values";
import { applyPlan, noteCompleted, takeOverState } from "./apply";
import type { ChangeKind } from "./changes";
import type { Resource } from "./claims";
import {
  announce,
  announceClaims,
  assertOwnIds,
  assertUntouched,
  declareGroups,
  recordPlan,
} from "./declarations";
import { onResource, type Deployment } from "./deployment";
import { diffOf, enforceLimits, planDiff } from "./diff";
import { settleLeaving } from "./groupDeletion";
import { isComplete, onlyFailure, unrecordedFailure, withFailures } from "./partialFailure";
import * as plans from "./plan";
import { previewedOutputs } from "./preview";
import { readResource } from "./read";
import { deleteResource } from "./remove";
import { accountOf } from "./services";
import type { Shape, State, Wanted } from "./shapes";
import { sizeIssues } from "./sizeLimit";

export interface CheckRequest {
  readonly resource: Resource;
  /** The inputs in the state; empty for a new resource, and when the engine replaces one. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
}

export interface DiffRequest {
  readonly resource: Resource;
  readonly id: string;
  /** The outputs in the state. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
  /** Whether another provider wrote the state, so that an update must rewrite it. */
  readonly isForeign?: boolean;
}

export interface Diff {
  readonly changes: boolean;
  /** The properties that force a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Each changed property, and for `UserGroups` each changed group, with the kind of its change. */
  readonly details: ReadonlyMap<string, ChangeKind>;
}

/** A request about a resource that has a state. */
export interface StateRequest {
  readonly resource: Resource;
  readonly id: string;
  readonly state: JsonObject;
}

/** The state of a resource after an operation, all secrets in plain text. */
export interface ResourceState {
  readonly id: string;
  readonly state: JsonObject;
  /** The operation failed in part. The state has the completed changes. */
  readonly failure?: { readonly error: UserGroupError; readonly reasons: readonly string[] } | undefined;
}

/** With the inputs that fit the state. */
export interface ReadState extends ResourceState {
  readonly inputs: JsonObject;
}

/** The operations on one kind of resource. check, diff and preview send no request and need no credentials. */
export interface Lifecycle {
  /** Returns the issues of the arguments. Error: setting-invalid. */
  check(request: CheckRequest): ValidationIssue[];
  /** Errors: deletion-limit, service-changed, setting-invalid, state-invalid. */
  diff(request: DiffRequest): Diff;
  /** The outputs that a preview shows. `olds`: the outputs in the state; undefined for a new resource. */
  preview(id: string, news: JsonObject, olds?: JsonObject): JsonObject;
  create(request: { readonly resource: Resource; readonly inputs: JsonObject }): Promise<ResourceState>;
  /**
   * `state` without a token: a lookup of a group that the stack doesn't manage. `mustExist`: a lookup of a group that doesn't
   * exist fails and leaves no group behind. Default: the lookup creates it.
   */
  read(request: StateRequest, options?: { readonly mustExist?: boolean }): Promise<ReadState>;
  update(request: StateRequest & { readonly news: JsonObject }): Promise<ResourceState>;
  delete(request: StateRequest): Promise<void>;
}

export function lifecycleOf(shape: Shape, deployment: Deployment): Lifecycle {
  return {
    check: (request) => check(shape, request, deployment),
    diff: (request) => diff(shape, request, deployment),
    preview: (id, news, olds) => previewedOutputs(shape, { id, news, olds }, deployment.sources),
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
    read: (request, options = {}) => readResource(shape, { ...request, ...options }, deployment),
    delete: (request) => deleteResource(shape, request, deployment),
  };
}

function check(shape: Shape, request: CheckRequest, deployment: Deployment): ValidationIssue[] {
  const inputs = propertiesOf(request.news);
  const { groups = new Map<string, JsonObject>() } = shape.wantedIn(inputs);
  return [
    ...findIssues(shape.arguments, inputs),
    ...(shape.isOne ? [] : sizeIssues(inputs)),
    ...declareGroups(request, groups, deployment),
  ];
}

/** What the diff says is announced and claimed only while a program runs: a refresh calls it, too, and uses nothing of it. */
function diff(shape: Shape, request: DiffRequest, deployment: Deployment): Diff {
  const { claims, logger } = deployment;
  const planned = planDiff(shape, request, deployment);
  if (claims.hasProgram) {
    assertOwnIds(planned, claims);
    assertUntouched(planned, claims);
    enforceLimits(planned);
    announce(shape, planned, logger);
    recordPlan(shape, request.resource, planned, claims);
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
  const plan = plans.planChanges(former.groups, wanted, { changes, claims: deployment.claims, connection });
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
      if (operation === "create") await settleLeaving(context);
      const failures = await applyPlan({ plan, groups, wanted, context });
      if (!isComplete(failures) && !isWorthRecording(shape, request, groups))
        throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, operation, plan.length);
      if (operation === "update" && !isComplete(failures)) noteCompleted(plan, groups);
      // The account in which all groups are known to be.
      const account = former.groups.size === 0 ? accountOf(context.settings) : former.account;
      const state = shape.stateOf({ ...wanted, groups, baseUrl: context.settings.baseUrl, account });
      return withFailures({ id, state }, failures, {
        operation,
        isOne: shape.isOne,
        logger: deployment.logger,
      });
    },
  );
}

/** A failed change of one group is recorded only if it has changed the state. An empty state is recorded by an update only. */
function isWorthRecording(shape: Shape, { operation, former }: Change, groups: State["groups"]): boolean {
  if (operation === "create") return groups.size > 0;
  if (!shape.isOne) return true;
  return [...groups].some(([id, stored]) => {
    const before = former.groups.get(id);
    const isUntouched = before?.token === stored.token && before.former === stored.former;
    return !isUntouched || stored.lastChange === "unknown";
  });
}

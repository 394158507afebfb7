/**
 * The lifecycle of both kinds of resources: check, diff, create, read, update, delete, and the outputs of a preview. It plans
 * (plan.ts), tells the claims what is planned (claims.ts), and applies the plan (apply.ts). Adapters call it for the engine.
 */
import { firstFew, nameOf, UserGroupError } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import { findIssues, type ValidationIssue } from "../validation";
import { propertiesOf, type JsonObject } from "../values";
import { applyPlan, takeOverState } from "./apply";
import type { ChangeKind } from "./changes";
import type { Resource } from "./claims";
import { announce, announceClaims, declareGroups, recordPlan } from "./declarations";
import { onGroup, onResource, type Deployment, type ResourceContext } from "./deployment";
import { diffOf, enforceLimits, planDiff } from "./diff";
import type { StoredGroup } from "./drift";
import { eachGroup } from "./eachGroup";
import * as operations from "./group";
import { isComplete, onlyFailure, unrecordedFailure, warnOfFailures, withFailures } from "./partialFailure";
import * as plans from "./plan";
import { previewedOutputs } from "./preview";
import { accountOf } from "./services";
import { lookupState, parseState, type Shape, type State, type Wanted } from "./shapes";
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
      const subject = shape.isOne ? shape.subject(String(inputs["userGroupId"])) : shape.subject("");
      const former: State = { groups: new Map(), connection: wanted.connection };
      return apply("create", { resource, subject, former, wanted });
    },

    async update({ resource, id, state, news }) {
      const former = shape.parseState(id, state);
      return apply("update", { resource, id, subject: shape.subject(id), former, wanted: shape.parseInputs(news) });
    },

    async read({ resource, id, state }, { mustExist = false } = {}) {
      if (shape.isOne && state["token"] == null) return lookUp({ resource, id, state }, mustExist);
      const former = shape.parseState(id, state);
      const target = { resource, subject: `read ${shape.subject(id)}`, location: former };
      return onResource(target, deployment, async (context) => {
        const groups = new Map(former.groups);
        await readGroups(shape, groups, context);
        const { baseUrl } = context.settings;
        const read = { ...former, groups, baseUrl, account: accountOf(context.settings) };
        return { id, state: shape.stateOf(read), inputs: shape.inputsOf(read) };
      });
    },

    async delete({ resource, id, state }) {
      const former = shape.parseState(id, state);
      const target = { resource, subject: `delete ${shape.subject(id)}`, location: former };
      await onResource(target, deployment, (context) => deleteGroups(shape, former, context));
    },
  };

  async function apply(operation: "create" | "update", change: Change): Promise<ResourceState> {
    const { resource, id, subject, former, wanted } = change;
    const { connection } = wanted;
    const partial = readPartialSettings(deployment.sources, connection);
    const planContext = { changes: partial.changes, claims: deployment.claims, connection };
    const plan = plans.planChanges(former.groups, wanted, planContext);
    const groups = new Map(former.groups);
    const result = (baseUrl: string | undefined, account: string | undefined): ResourceState => {
      const state: State = { ...wanted, groups, baseUrl, account };
      return { id: id ?? shape.idOf(groups), state: shape.stateOf(state) };
    };
    announceClaims(plan, former, deployment.logger);
    if (operation === "update" && !plan.some(plans.isRequest)) {
      takeOverState({ plan, groups, wanted });
      return result(partial.baseUrl ?? former.baseUrl, former.account);
    }
    const location = { ...former, connection };
    return onResource({ resource, subject: `${operation} ${subject}`, location }, deployment, async (context) => {
      const failures = await applyPlan({ plan, groups, wanted, context });
      const isSettled = operation === "create" || former.groups.size === 0;
      const account = isSettled ? accountOf(context.settings) : former.account;
      const isRecorded = isComplete(failures) || isWorthRecording(shape, operation, former, groups);
      if (!isRecorded) throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, operation);
      const done = result(context.settings.baseUrl, account);
      return withFailures(done, failures, { operation, isOne: shape.isOne, logger: deployment.logger });
    });
  }

  async function lookUp({ resource, id, state }: StateRequest, mustExist: boolean): Promise<ReadState> {
    const { adopt, connection, overlap, baseUrl, account, unknown, ...group } = parseState(lookupState, nameOf({ userGroupId: id }), state);
    const target = { resource, subject: `read ${shape.subject(id)}`, location: { connection, baseUrl } };
    return onResource(target, deployment, async (context) => {
      const found = await onGroup("read", id, context, (one) =>
        operations.lookUpGroup({ ...group, userGroupId: id }, mustExist, one),
      );
      const read: State = {
        groups: new Map([[id, { ...found, unknown }]]),
        adopt,
        connection,
        overlap,
        baseUrl: context.settings.baseUrl,
        account: accountOf(context.settings),
      };
      return { id, state: shape.stateOf(read), inputs: shape.inputsOf(read) };
    });
  }
}

interface Change {
  readonly resource: Resource;
  /** Undefined: the resource is created. */
  readonly id?: string;
  /** As messages name the resource. */
  readonly subject: string;
  readonly former: State;
  readonly wanted: Wanted;
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
    enforceLimits(planned);
    announce(shape, planned, logger);
    recordPlan(shape, request.resource, planned, claims);
  }
  return diffOf(shape, request, planned);
}

/** A failed change of one group is recorded only if it has changed the state. An empty state is recorded by an update only. */
function isWorthRecording(shape: Shape, operation: "create" | "update", former: State, groups: State["groups"]): boolean {
  if (operation === "create") return groups.size > 0;
  if (!shape.isOne) return true;
  return [...groups].some(([id, stored]) => {
    const before = former.groups.get(id);
    const isUntouched = before?.token === stored.token && before.former === stored.former;
    return !isUntouched || stored.lastChange === "unknown";
  });
}

/** Replaces each group by what was read. Errors: nothing-found; partial-failure, if nothing was read; that of the only group. */
async function readGroups(shape: Shape, groups: Map<string, StoredGroup>, context: ResourceContext): Promise<void> {
  const created: StoredGroup[] = [];
  const failures = await eachGroup([...groups.values()], context, (stored) =>
    onGroup("read", stored.userGroupId, context, async (one) => {
      const { group, isNew } = await operations.readGroup(stored, one);
      groups.set(stored.userGroupId, group);
      if (isNew) created.push(group);
    }),
  );
  const stop = failures.failed.find(({ error }) => error.code === "nothing-found")?.error;
  if (stop) throw new UserGroupError(stop.code, stop.sentence + (await cleanedUp(created, context)));
  if (shape.isOne && !isComplete(failures)) throw onlyFailure(failures).error;
  const isNothingRead = failures.failed.length + failures.untried.length === groups.size;
  if (!isComplete(failures) && isNothingRead) throw unrecordedFailure(failures, "read");
  warnOfFailures(failures, context.logger);
}

/** Deletes the groups that a refresh has created. Returns a sentence about those that are left. */
async function cleanedUp(groups: readonly StoredGroup[], context: ResourceContext): Promise<string> {
  const left: StoredGroup[] = [];
  await eachGroup(groups, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, async ({ client }) => {
      if (!(await operations.isCleanedUp(stored, client))) left.push(stored);
    }),
  );
  return left.length > 0 ? ` It created groups that could not be deleted again: ${firstFew(left)}.` : "";
}

async function deleteGroups(shape: Shape, state: State, context: ResourceContext): Promise<void> {
  const { claims, isDestroy, logger } = context;
  const groups = [...state.groups.values()];
  const deleted = (isDestroy() ?? !claims.hasProgram) ? groups : withinGuards(groups, state, context);
  if (!shape.isOne && deleted.length > 1)
    logger.info(`user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`);
  const failures = await eachGroup(deleted, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, (one) => operations.deleteGroup(stored, one)),
  );
  if (isComplete(failures)) return;
  throw shape.isOne ? onlyFailure(failures).error : unrecordedFailure(failures, "delete");
}

/** In an update, `removed` and `deletionLimit` of a state also hold if the whole resource goes. Error: deletion-limit. */
function withinGuards(groups: readonly StoredGroup[], state: State, context: ResourceContext): readonly StoredGroup[] {
  const deleted = groups.filter((stored) => operations.decide(stored, context).do === "delete");
  if (state.removed !== "retain") {
    const remedy =
      "The resource's state has this limit. To delete the groups, restore the resource, raise deletionLimit in an update of it, " +
      "then remove it.";
    plans.assertWithinLimit(deleted, state.deletionLimit, remedy);
    return groups;
  }
  if (deleted.length > 0) context.logger.warn(retainedWarning(deleted));
  return groups.filter((stored) => !deleted.includes(stored));
}

function retainedWarning(groups: readonly StoredGroup[]): string {
  return (
    `${groups.length} user groups stay in the service without a resource, because the state has removed: "retain" ` +
    `(${firstFew(groups)}).`
  );
}

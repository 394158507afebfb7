/**
 * The lifecycle of both kinds of resources: check, diff, create, read, update, delete, and the outputs of a preview. Adapters call it for
 * the engine. A create is read from here down: set/apply.ts, group/createGroup.ts, deployment/createTable.ts.
 */
import { firstFew } from "../errors";
import { readPartialSettings, type PartialSettings } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import { isEqual, propertiesOf, type JsonObject, type Resource } from "../values";
import { accountOf, proveAccount, warnOfUnchecked } from "./deployment/account";
import { onGroup, onResource, type Deployment, type ResourceContext } from "./deployment/context";
import { decideCustomer, deleteCustomer } from "./group/deleteGroup";
import { aboveDeletionLimit, limitRemedies } from "./messages/groupErrors";
import { applyPlan, takeOverState } from "./set/apply";
import { check, type CheckRequest } from "./set/check";
import {
  announceAccount,
  diffOf,
  enforceGuards,
  isRenamed,
  planDiff,
  recordDiff,
  type Diff,
  type DiffRequest,
} from "./set/diff";
import {
  eachGroup,
  isComplete,
  onlyFailure,
  partialFailure,
  unrecordedFailure,
  type ResourceState,
} from "./set/eachGroup";
import { isRequest, planChanges, type PlannedChange } from "./set/plan";
import { announce, announceClaims, previewedOutputs } from "./set/preview";
import { readResource, type ReadRequest, type ReadResult, type StateRequest } from "./set/read";
import type { StoredGroup } from "./state/group";
import { connectionOf, type Shape, type State, type Wanted } from "./state/shapes";

export type { CheckRequest, Diff, DiffRequest, ReadRequest, ReadResult, ResourceState, StateRequest };

/** The operations on one kind of resource. check, diff and preview send no request and need no credentials. */
export interface Lifecycle {
  /** Returns the issues of the arguments. Error: setting-invalid. */
  check(request: CheckRequest): ValidationIssue[];
  /** Errors: deletion-limit, groups-too-large, guard-dropped, service-changed, setting-invalid, state-invalid. */
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
      const before = { groups: new Map<string, StoredGroup>(), connection: wanted.connection };
      const change = planChange({ operation: "create", resource, id: wanted.id, before, wanted }, deployment);
      return applyChange(shape, change, new Map(), deployment);
    },
    update: (request) => update(shape, request, deployment),
    read: (request) => readResource(shape, request, deployment),
    delete: (request) => deleteResource(shape, request, deployment),
  };
}

/** What the diff says is announced and recorded only while a program runs: a refresh calls it, too, and uses nothing of it. */
function diff(shape: Shape, request: DiffRequest, deployment: Deployment): Diff {
  const { facts, sources, logger } = deployment;
  if (request.before && isRenamed(request)) facts.rename(request.before, request.resource);
  const state = shape.parseState(request.id, propertiesOf(request.olds));
  const wanted = shape.wantedIn(propertiesOf(request.news));
  const connection = connectionOf(wanted);
  const before = readPartialSettings(sources, state.connection);
  const isOne = connection === state.connection;
  const settings = { before, wanted: isOne ? before : readPartialSettings(sources, connection) };
  const planned = planDiff(shape, { request, state, wanted, settings }, deployment);
  if (facts.declarations > 0) {
    announceAccount(planned, deployment);
    enforceGuards(planned);
    announce(shape, planned, logger);
    recordDiff(shape, planned, deployment);
  }
  return diffOf(shape, planned);
}

/** The change of a resource from a state to the wanted groups. */
interface Change {
  readonly operation: "create" | "update";
  readonly resource: Resource;
  readonly id: string;
  readonly before: State;
  readonly wanted: Wanted;
  readonly settings: PartialSettings;
  readonly plan: readonly PlannedChange[];
}

function planChange(change: Omit<Change, "settings" | "plan">, { sources, clock }: Deployment): Change {
  const { before, wanted } = change;
  const settings = readPartialSettings(sources, wanted.connection);
  const { changes } = settings;
  return { ...change, settings, plan: planChanges(before.groups, { wanted, changes, now: clock.date() }) };
}

/** An update that changes the state only needs no credentials. */
async function update(
  shape: Shape,
  { resource, id, state, news }: StateRequest & { readonly news: JsonObject },
  deployment: Deployment,
): Promise<ResourceState> {
  const before = shape.parseState(id, state);
  const wanted = shape.parseInputs(news);
  const change = planChange({ operation: "update", resource, id, before, wanted }, deployment);
  const { plan, settings } = change;
  if (plan.some(({ isClaim }) => isClaim)) announceClaims(plan, deployment.logger);
  const groups = new Map(before.groups);
  takeOverState({ plan, groups, wanted });
  if (plan.some(isRequest)) return applyChange(shape, change, groups, deployment);
  const { baseUrl = before.baseUrl } = settings;
  return { id, state: shape.stateOf({ ...wanted, groups, baseUrl, account: before.account }) };
}

/** create and update: applies the plan to `groups`, which are those of the state. */
async function applyChange(
  shape: Shape,
  change: Change,
  groups: Map<string, StoredGroup>,
  deployment: Deployment,
): Promise<ResourceState> {
  const { operation, resource, id, before, wanted, settings: given, plan } = change;
  const { connection } = wanted;
  const subject = `${operation} ${shape.subject(id)}`;
  const target = { resource, subject, connection, baseUrl: before.baseUrl, settings: given };
  return onResource(target, deployment, async (context) => {
    const { settings, accounts, logger } = context;
    await proveAccount([...before.groups.values()], before.account, subject, context);
    const failures = await applyPlan({ plan, groups, wanted, context });
    const { baseUrl } = settings;
    const account = accountOf(settings);
    // A state that came in sight during the requests may have shown another account.
    const since = accounts.toProve(null, { address: baseUrl, today: account });
    for (const proof of since) warnOfUnchecked(proof, context);
    const isDone = isComplete(failures);
    if (!isDone && !isWorthRecording(shape, change, groups))
      throw shape.isOne ? onlyFailure(failures) : unrecordedFailure(failures, operation, plan.length);
    const hasAll = [...groups.keys()].every((userGroupId) => wanted.groups.has(userGroupId));
    const incomplete = isDone && hasAll ? undefined : true;
    const state = shape.stateOf({ ...wanted, groups, baseUrl, account, incomplete });
    const failure = isDone ? undefined : partialFailure(failures, operation, shape.isOne, logger);
    return { id, state, failure };
  });
}

/** A failed change of one group is recorded only if it has changed the state. An empty state is recorded by an update only. */
function isWorthRecording(shape: Shape, { operation, before }: Change, groups: State["groups"]): boolean {
  if (operation === "create") return groups.size > 0;
  return !shape.isOne || !isEqual([...before.groups.values()], [...groups.values()]);
}

async function deleteResource(
  shape: Shape,
  { resource: stored, id, state: properties }: StateRequest,
  deployment: Deployment,
): Promise<void> {
  const resource = deployment.facts.presentOf(stored);
  const state = shape.parseState(id, properties);
  const { connection, baseUrl, account } = state;
  const subject = `delete ${shape.subject(id)}`;
  const settings = readPartialSettings(deployment.sources, connection);
  await onResource({ resource, subject, connection, baseUrl, settings }, deployment, async (context) => {
    await deleteGroups(shape, state, subject, context).catch((error: unknown) => {
      // It failed before it could prove the account in which this command may have created groups.
      const { baseUrl: address } = context.settings;
      warnOfUnchecked({ address, account, today: accountOf(context.settings) }, context);
      throw error;
    });
  });
}

/**
 * Decides on all groups before the first request. The state's guards hold, whatever the command; with a replacement, those that the program
 * states. Errors: deletion-limit; those of the table of deletions.
 */
async function deleteGroups(
  shape: Shape,
  state: State,
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const { facts, resource, logger } = context;
  const groups = [...state.groups.values()];
  const program = facts.guardsOf(resource);
  const retains = (program?.removed ?? state.removed) === "retain";
  const departure = { isUpdate: false, overlaps: state.overlap === true, retains };
  const decided = groups.map((stored) => ({
    stored,
    decisions: decideCustomer(stored, departure, context),
  }));
  const deleted = decided
    .filter(({ decisions }) => decisions.at(-1)?.decision.row === "otherwise")
    .map(({ stored }) => stored);
  const limit = program?.deletionLimit ?? state.deletionLimit;
  if (typeof limit === "number" && deleted.length > limit)
    throw aboveDeletionLimit(deleted, limit, limitRemedies[program ? "replacement" : "resource"]);
  const requested = decided
    .filter(({ decisions }) => decisions.some(({ decision }) => needsProof.has(decision.row)))
    .map(({ stored }) => stored);
  if (requested.length > 0) await proveAccount(requested, state.account, subject, context);
  if (!shape.isOne && deleted.length > 1)
    logger.info(`user groups to delete with their resource: ${deleted.length} (${firstFew(deleted)}).`);
  const failures = await eachGroup(groups, context, (stored) =>
    onGroup("delete", stored.userGroupId, context, (one) => deleteCustomer(stored, departure, one)),
  );
  if (isComplete(failures)) return;
  throw shape.isOne ? onlyFailure(failures) : unrecordedFailure(failures, "delete", groups.length);
}

/** In another account, a new group under the ID of this one proves nothing. */
const needsProof = new Set<string>(["otherwise", "held by its creator", "replaced by a new group"]);

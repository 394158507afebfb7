/**
 * The diff of both kinds of resources: the plan of a change from the state, the inputs, the settings and the time; what the engine is told
 * of it; and what this deployment knows afterwards.
 */
import type { PartialSettings } from "../../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject, type Resource } from "../../values";
import { accountOf, warnOfUnchecked } from "../deployment/account";
import { addressChange, addressOf, type Deployment } from "../deployment/context";
import { customerOf, type KnownGroup } from "../deployment/facts";
import { aboveDeletionLimit, guardDropped, limitRemedies } from "../messages/groupErrors";
import { isOver } from "../state/formerGroups";
import { changedFields, isSameGroup } from "../state/group";
import { connectionOf, type PreviewedWanted, type Shape, type State } from "../state/shapes";
import {
  changeOf,
  droppedGuards,
  isDeleting,
  isRequest,
  kindOf,
  planChanges,
  planMove,
  type PlannedChange,
} from "./plan";
import { assertStateSize } from "./sizeLimit";

export interface DiffRequest {
  readonly resource: Resource;
  /** The identity in the state, which is another one after a rename by an alias or a new parent. Undefined: the state has none. */
  readonly before?: Resource | undefined;
  readonly id: string;
  /** The outputs in the state. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
  /** Whether another provider wrote the state, so that an update must rewrite it. */
  readonly isForeign?: boolean;
}

/** The kind of a change of one property, as the engine names it. */
export type ChangeKind = "ADD" | "DELETE" | "UPDATE";

export interface Diff {
  readonly changes: boolean;
  /** The properties that force a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Each changed property, and for `UserGroups` each changed group, with the kind of its change. */
  readonly details: ReadonlyMap<string, ChangeKind>;
}

export interface PlannedDiff {
  readonly request: DiffRequest;
  readonly state: State;
  readonly wanted: PreviewedWanted;
  /** Of the service of the state, and of that of the program, which may be one. */
  readonly settings: { readonly before: PartialSettings; readonly wanted: PartialSettings };
  /** The changes of the groups; none if `groups` is unknown as a whole. */
  readonly plan: readonly PlannedChange[];
  /** The groups get another ID or another service: they are created there, then deleted here. */
  readonly isMove: boolean;
  /** The arguments that replace the resource. */
  readonly replaces: readonly string[];
  /** Whether the state gets another address, identity or form, without a change of a group. */
  readonly isRewritten: boolean;
}

/** Errors: service-changed, setting-invalid, state-invalid. */
export function planDiff(
  shape: Shape,
  { request, state, wanted, settings }: Pick<PlannedDiff, "request" | "state" | "wanted" | "settings">,
  deployment: Deployment,
): PlannedDiff {
  const subject = `update ${shape.subject(request.id)}`;
  const { sources, clock } = deployment;
  const address = isUnknown(wanted.connection)
    ? "other-service"
    : addressChange(state, connectionOf(wanted), settings, { sources, subject });
  const otherService = address === "other-service" ? ["connection"] : [];
  const otherId = shape.isOne && !wanted.groups?.has(request.id) ? ["userGroupId"] : [];
  const moves = [...otherId, ...otherService];
  const isRewritten =
    address === "state-only" || request.isForeign === true || isRenamed(request) || state.incomplete === true;
  const base = { request, state, wanted, settings, isRewritten };
  const groups = wanted.groups ?? new Map<string, JsonObject>();
  const { changes } = settings.wanted;
  const planned = { wanted: { ...wanted, groups }, changes, now: clock.date() };
  const isMove = moves.length > 0;
  if (wanted.groups === undefined && !isMove) return { ...base, plan: [], isMove, replaces: [] };
  const ofResource = isMove ? planMove(state.groups, planned) : planChanges(state.groups, planned);
  const isOneService = otherService.length === 0;
  const plan = ofResource.map((change) =>
    isOneService && kindOf(change) === "leaves" ? asMove(change, base, deployment) : change,
  );
  if (isMove) {
    const replaces = [...moves, ...changedBeside(shape, state, request.news, settings.wanted)];
    return { ...base, plan, isMove, replaces };
  }
  const [only] = plan;
  const isReplaced = shape.isOne && only?.action === "recreate";
  return { ...base, plan, isMove, replaces: isReplaced ? only.replaces : [] };
}

/** By an alias, or by a new parent. */
export function isRenamed({ resource, before = resource }: DiffRequest): boolean {
  return before !== resource;
}

/**
 * A deletion is a move, if another resource of the program declares the group: it isn't deleted in this update.
 * It stays a deletion, if that resource has another group of the customer in its state. Former groups of a customer who moves have
 * their time.
 */
function asMove(
  change: PlannedChange,
  { request, state, wanted }: Pick<PlannedDiff, "request" | "state" | "wanted">,
  { facts, clock }: Deployment,
): PlannedChange {
  const stored = state.groups.get(change.userGroupId);
  const customer = customerOf(connectionOf(wanted), change.userGroupId);
  const owner = facts.declarationOf(customer);
  if (!stored || !owner || owner.resource === request.resource) return change;
  const over = (stored.former ?? []).filter((each) => isOver(each, clock.date(), owner.hours));
  if (change.action === "release") return { ...change, over };
  const hasAnother = facts
    .of(customer)
    .some(
      ({ resource, is, group }) =>
        resource === owner.resource && is === "stays" && !isSameGroup(group, stored),
    );
  return hasAnother ? change : { ...change, action: "move", over };
}

/** The other fields of a moving group that would replace it. */
function changedBeside(
  shape: Shape,
  { groups }: State,
  news: JsonObject,
  { changes }: PartialSettings,
): readonly string[] {
  const [stored] = groups.values();
  if (!shape.isOne || !stored) return [];
  return changeOf(stored, propertiesOf(news), changes).replaces;
}

/** Errors: deletion-limit, groups-too-large, guard-dropped. */
export function enforceGuards(diff: PlannedDiff): void {
  const { plan, isMove, state, wanted, request } = diff;
  const dropped = droppedGuards(state, wanted);
  if (dropped.length > 0 && (isMove || plan.some(isRequest))) throw guardDropped(dropped);
  const { deletionLimit } = wanted;
  if (typeof deletionLimit === "number") enforceDeletionLimit(plan, deletionLimit);
  if (plan.some(({ action, waiting }) => action === "renew" || waiting.length > 0))
    assertStateSize(request.news["groups"], plan, state.groups);
}

/** Only changes that are certain count, once for each customer. Error: deletion-limit. */
export function enforceDeletionLimit(plan: readonly PlannedChange[], limit: number): void {
  const deleted = plan.filter((change) => isDeleting(change) && !change.isUncertain);
  const hasDeparture = deleted.some(({ action }) => action === "delete");
  if (deleted.length > limit)
    throw aboveDeletionLimit(deleted, limit, limitRemedies[hasDeparture ? "departure" : "change"]);
}

/** What the engine is told. */
export function diffOf(shape: Shape, planned: PlannedDiff): Diff {
  const { request, plan, isMove, replaces, isRewritten, wanted } = planned;
  const olds = propertiesOf(request.olds);
  const news = propertiesOf(request.news);
  const others = changedFields(shape.stateArguments, olds, news);
  const isChanged = plan.some(({ action, over }) => action !== "keep" || over.length > 0);
  const details = shape.isOne
    ? detailsOfOne({ ...olds, userGroupId: request.id }, news, planned)
    : detailsOfMany(planned);
  return {
    changes: isChanged || wanted.groups === undefined || isMove || others.length > 0 || isRewritten,
    replaces,
    // If an option of the resource replaces it, it is created first, so that the group keeps its token.
    deleteBeforeReplace: replaces.length > 0 && !isMove,
    details: new Map([...details, ...detailsOf(others, olds, news)]),
  };
}

/** The detailed diff of some fields of one object. */
function detailsOf(
  fields: readonly string[],
  before: object,
  wanted: object,
  prefix = "",
): [path: string, kind: ChangeKind][] {
  return fields.map((field) => [
    prefix + field,
    changeKind(Reflect.get(before, field), Reflect.get(wanted, field)),
  ]);
}

function changeKind(before: unknown, wanted: unknown): ChangeKind {
  const isNone = (value: unknown) => changedFields(["value"], { value }, {}).length === 0;
  if (isNone(before)) return "ADD";
  return isNone(wanted) ? "DELETE" : "UPDATE";
}

function detailsOfOne(
  before: JsonObject,
  news: JsonObject,
  { plan, replaces }: PlannedDiff,
): [path: string, kind: ChangeKind][] {
  const change = plan.find(({ userGroupId }) => userGroupId === before["userGroupId"]);
  const details = detailsOf([...new Set([...replaces, ...(change?.fields ?? [])])], before, news);
  return [...details, ...(change ? formerDetails("former", change) : [])];
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one, `former.acme` for former groups that go. */
function detailsOfMany({ plan, state, wanted, isMove }: PlannedDiff): [path: string, kind: ChangeKind][] {
  const { groups } = wanted;
  if (groups === undefined) return [["groups", "UPDATE"]];
  if (isMove) return [];
  return plan.flatMap((change): [path: string, kind: ChangeKind][] => {
    const { userGroupId, fields } = change;
    const before = state.groups.get(userGroupId);
    const after = groups.get(userGroupId);
    const path = `groups${pathElement(userGroupId)}`;
    if (before === undefined || after === undefined) return [[path, changeKind(before, after)]];
    return [
      ...detailsOf(fields, before, after, `${path}.`),
      ...formerDetails(`former${pathElement(userGroupId)}`, change),
    ];
  });
}

/** The list of former groups loses some whose time is over. A list that gets one shows in the change that does it. */
function formerDetails(
  path: string,
  { over, waiting, action }: PlannedChange,
): [path: string, kind: ChangeKind][] {
  if (over.length === 0) return [];
  return [[path, waiting.length > 0 || action === "renew" ? "UPDATE" : "DELETE"]];
}

/** As the engine writes property paths. */
function pathElement(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** A resource of the program has groups in its state, and the plan says what becomes of each. */
export function recordDiff(shape: Shape, diff: PlannedDiff, deployment: Deployment): void {
  const { request, state, plan, isMove, wanted, settings } = diff;
  const { facts, accounts } = deployment;
  const { resource } = request;
  facts.startDiff(resource);
  // A move deletes the groups by the connection that they had.
  const connection = isMove ? state.connection : connectionOf(wanted);
  const address = addressOf(state, settings.before);
  const changes = new Map(plan.map((change) => [change.userGroupId, change]));
  for (const stored of state.groups.values()) {
    const change = changes.get(stored.userGroupId);
    const is = outlookOf(shape, diff, change);
    if (is === "unknown") continue;
    const group = is === "stays" ? { ...stored, former: change?.waiting } : stored;
    const customer = customerOf(connection, stored.userGroupId);
    const known: KnownGroup = { resource, customer, address, group, is };
    accounts.see({ ...known, group: stored }, state.account);
    facts.note(known);
  }
}

/** left: by a move, or by removed: "retain". unknown: not known yet. */
function outlookOf(
  shape: Shape,
  { isMove, wanted }: PlannedDiff,
  change: PlannedChange | undefined,
): "stays" | "left" | "recreated" | "removed" | "unknown" {
  if (isMove) return "left";
  if (wanted.groups === undefined || change === undefined) return "unknown";
  const { action, isUncertain } = change;
  if (action === "recreate") return shape.isOne || !isUncertain ? "recreated" : "unknown";
  if (action === "delete" || action === "move") return isUncertain ? "unknown" : "removed";
  return action === "release" ? "left" : "stays";
}

/** A state comes into sight after groups were created with another API token, perhaps in another account. */
export function announceAccount({ state, settings, isMove }: PlannedDiff, deployment: Deployment): void {
  const used = isMove ? settings.before : settings.wanted;
  const { apiToken, headers } = used;
  if (apiToken === undefined || state.groups.size === 0) return;
  const today = accountOf({ apiToken, headers });
  const { account } = state;
  if (account !== today) warnOfUnchecked({ address: addressOf(state, used), account, today }, deployment);
}

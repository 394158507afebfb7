/**
 * The diff of both kinds of resources: the plan of a change from the state, the inputs, the settings and the time; what the engine is told
 * of it; and what this deployment knows afterwards.
 */
import type { PartialSettings } from "../../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject, type Resource } from "../../values";
import { addressChange, type Deployment } from "../deployment/context";
import { type KnownGroup } from "../deployment/facts";
import { digestOf } from "../deployment/proof";
import { guardDropped } from "../messages/groupErrors";
import { createdUnchecked } from "../messages/warnings";
import { droppedGuards, enforceDeletionLimit, refuseMoves } from "../change/guards";
import {
  changesNothing,
  fieldsOf,
  isClaim,
  planChanges,
  sendsRequest,
  stillValid,
  type PlannedChange,
} from "../change/plan";
import { asShown, changedFields, isSameGroup, storedAsTakenOver, valuesOf } from "../state/group";
import type { PreviewedWanted, Shape, State } from "../state/shapes";
import { assertStateSize } from "./sizeLimit";

export interface DiffRequest {
  readonly resource: Resource;
  /** The identity in the state, if it is another one: after a rename by an alias, or with a new parent. */
  readonly before?: Resource | undefined;
  readonly id: string;
  /** The outputs in the state. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
  /** Whether another provider wrote the state, so that an update must rewrite it. */
  readonly isOfOtherProvider?: boolean;
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
  /** The changes of the groups; none if `groups` is unknown as a whole. */
  readonly plan: readonly PlannedChange<JsonObject>[];
  /** A `UserGroup` gets another ID: another group is created, then this one is deleted. */
  readonly isOtherId: boolean;
  /** The arguments that replace the resource. */
  readonly replaces: readonly string[];
  /** Whether only values that aren't known yet could replace the resource. The diff that knows them decides. */
  readonly isOnlyPossible: boolean;
  /** Whether the state gets another address, identity or form, without a change of a group. */
  readonly isRewritten: boolean;
}

/** Errors: service-changed, setting-invalid, state-invalid. */
export function planDiff(
  shape: Shape,
  { request, state, wanted }: Pick<PlannedDiff, "request" | "state" | "wanted">,
  { settings, clock }: Deployment,
): PlannedDiff {
  const partial = settings.partial();
  const { changes } = partial;
  const subject = `update ${shape.subject(request.id)}`;
  const address = addressChange(state.baseUrl, subject, partial, settings.provider);
  const isRewritten =
    address === "moved" ||
    request.isOfOtherProvider === true ||
    request.before !== undefined ||
    state.incomplete === true;
  const isOtherId = shape.isOne && !wanted.groups?.has(request.id);
  const { groups } = wanted;
  const now = clock.date();
  const plan = groups ? planChanges(state.groups, { wanted: { ...wanted, groups }, changes, now }) : [];
  const [only] = plan;
  const isRecreated = shape.isOne && only?.is === "request" && only.how === "recreate";
  const replacing = isRecreated ? only.because : [];
  const replaces = isOtherId ? replacingBesideId({ request, state, wanted }, changes) : replacing;
  const isOnlyPossible = replaces.length > 0 && replaces.every((field) => isUnknown(request.news[field]));
  return { request, state, wanted, plan, isOtherId, replaces, isOnlyPossible, isRewritten };
}

/** With another ID, a `UserGroup` is replaced also because of the fields that would have replaced it anyway. */
function replacingBesideId(
  { request, state, wanted }: Pick<PlannedDiff, "request" | "state" | "wanted">,
  changes: PartialSettings["changes"],
): readonly string[] {
  const groups = new Map([[request.id, propertiesOf(request.news)]]);
  const [beside] = planChanges(state.groups, { wanted: { ...wanted, groups }, changes, now: 0 });
  return ["userGroupId", ...(beside?.is === "request" && beside.how !== "update" ? beside.because : [])];
}

/** Errors: deletion-limit, groups-too-large, guard-dropped, mapping-conflict, removed-elsewhere. */
export function enforceGuards(shape: Shape, diff: PlannedDiff, { facts, settings }: Deployment): void {
  const { plan, isOtherId, state, wanted, request } = diff;
  const dropped = droppedGuards(state, wanted);
  if (dropped.length > 0 && (isOtherId || plan.some(sendsRequest))) throw guardDropped(dropped);
  if (shape.isOne) return;
  refuseMoves(leavingIn(diff), request.resource, facts, settings.partial().changes);
  enforceDeletionLimit(plan, wanted);
  assertStateSize(request.news["groups"], plan);
}

/**
 * The groups that leave a `UserGroups`. While `groups` isn't known, any group of the state may: another resource that declares its customer
 * now would get a group that this one has, or that it deletes.
 */
function leavingIn({ plan, state, wanted }: PlannedDiff) {
  const how = wanted.removed === "retain" ? ("retain" as const) : ("delete" as const);
  if (wanted.groups === undefined) return [...state.groups.values()].map((from) => ({ from, how }));
  return plan.filter((change) => change.is === "leave");
}

/** What the engine is told. */
export function diffOf(shape: Shape, planned: PlannedDiff): Diff {
  const { request, plan, isOtherId, isOnlyPossible, isRewritten, wanted } = planned;
  const olds = propertiesOf(request.olds);
  const news = propertiesOf(request.news);
  const others = changedFields(shape.stateArguments, olds, news);
  const isChanged = wanted.groups === undefined || !plan.every(changesNothing);
  const details = shape.isOne
    ? detailsOfOne({ ...olds, userGroupId: request.id }, news, planned)
    : detailsOfMany(planned);
  const replaces = isOnlyPossible ? [] : planned.replaces;
  return {
    changes: isChanged || isOtherId || others.length > 0 || isRewritten,
    replaces,
    // If an option of the resource replaces it, it is created first, so that the group keeps its token.
    deleteBeforeReplace: replaces.length > 0 && !isOtherId,
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
  if (!change || change.is === "create" || change.is === "leave") return detailsOf(replaces, before, news);
  const details = detailsOf([...new Set([...replaces, ...fieldsOf(change)])], before, news);
  return change.expired.length > 0 ? [...details, ["former", kindOfFormer(change)]] : details;
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one, `former.acme` for former groups that go. */
function detailsOfMany({ plan, wanted }: PlannedDiff): [path: string, kind: ChangeKind][] {
  if (wanted.groups === undefined) return [["groups", "UPDATE"]];
  return plan.flatMap((change): [path: string, kind: ChangeKind][] => {
    const { userGroupId } = change;
    const path = `groups${pathElement(userGroupId)}`;
    if (change.is === "create") return [[path, "ADD"]];
    if (change.is === "leave") return [[path, "DELETE"]];
    const details = detailsOf(fieldsOf(change), asShown(change.from), change.to, `${path}.`);
    if (change.expired.length === 0) return details;
    return [...details, [`former${pathElement(userGroupId)}`, kindOfFormer(change)]];
  });
}

/** The list of former groups loses some whose time is over. A list that gets one shows in the change that does it. */
function kindOfFormer(change: PlannedChange<object>): ChangeKind {
  const isRenewed = change.is === "request" && change.how === "renew";
  return isRenewed || stillValid(change).length > 0 ? "UPDATE" : "DELETE";
}

/** As the engine writes property paths. */
export function pathElement(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** A resource of the program has groups in its state, and the plan says what becomes of each. */
export function recordDiff(shape: Shape, diff: PlannedDiff, { facts, credentials }: Deployment): void {
  const { request, state, plan, isOtherId, isOnlyPossible, wanted } = diff;
  credentials.see(state);
  const { resource } = request;
  if (wanted.groups === undefined && !shape.isOne)
    for (const { from: group, how } of leavingIn(diff))
      facts.note({ resource, group, status: how === "retain" ? "released" : "removed" });
  if (wanted.groups === undefined || isOnlyPossible) return;
  const isSeen = facts.knows(resource);
  for (const change of plan) {
    if (change.is === "create") continue;
    // Of many groups, one that is only possibly recreated may stay.
    if (change.isUncertain && !shape.isOne && statusOf(change) === "recreated") continue;
    const group = change.is === "leave" ? change.from : groupAfter(change);
    const status = isOtherId && change.is === "leave" ? "left" : statusOf(change);
    const own = isSeen ? facts.of(change.userGroupId).find((each) => each.resource === resource) : undefined;
    // The option `import` has got it a moment before.
    const isGot = status === "stays" && own?.status === "got" && isSameGroup(own.group, group);
    facts.note({ resource, group, status: isGot ? "got" : status });
  }
}

function statusOf(change: PlannedChange<object>): KnownGroup["status"] {
  if (change.is === "leave") return change.how === "retain" ? "released" : "removed";
  return change.is === "request" && change.how === "recreate" ? "recreated" : "stays";
}

/** The group with the former ones that stay, and what the program claims of an imported one. */
function groupAfter(
  change: Extract<PlannedChange<JsonObject>, { readonly to: JsonObject; readonly from: object }>,
) {
  const { from, to } = change;
  const former = stillValid(change);
  if (!isClaim(change)) return { ...from, former };
  const { mapping, keepers } = valuesOf({ ...from, ...to });
  return { ...storedAsTakenOver(from, { ...valuesOf(from), mapping, keepers }), former };
}

/** What this command has created before a state showed other credentials, which may be those of another account. */
export function announceCredentials(
  { state }: PlannedDiff,
  { settings, credentials, logger, logged }: Deployment,
): void {
  const { apiToken, headers } = settings.partial();
  const { credentialsDigest: digest, groups } = state;
  if (apiToken === undefined || groups.size === 0 || credentials.requested.length === 0) return;
  const today = digestOf({ apiToken, headers });
  if (digest === today || credentials.proven.has(digest) || credentials.seen.has(today)) return;
  const line = createdUnchecked(credentials.requested);
  if (!logged.has(line)) logger.warn(line);
  logged.add(line);
}

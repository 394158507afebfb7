/** The diff of both kinds of resources: a pure function of the state, the inputs, the settings and the time. */
import { readPartialSettings } from "../../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject } from "../../values";
import { connectionIn } from "../arguments";
import type { Deployment } from "../deployment/context";
import { addressChange } from "../deployment/service";
import {
  changedFields,
  changeKind,
  changeOf,
  detailsOf,
  type ChangeKind,
  type Detail,
} from "../state/changes";
import type { PreviewedWanted, Shape, State } from "../state/shapes";
import { isOver, overlapOf } from "../state/formerGroups";
import { isSameGroup } from "../state/storedGroup";
import { customerOf, type Resource } from "../state/resource";
import {
  enforceDeletionLimit,
  isEffective,
  isLeaving,
  planChanges,
  planMove,
  type PlannedChange,
} from "./plan";
import { assertStateSize } from "./sizeLimit";

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

export interface PlannedDiff {
  readonly olds: JsonObject;
  readonly news: JsonObject;
  readonly state: State;
  readonly wanted: PreviewedWanted;
  /** The changes of the groups; none if `groups` is unknown as a whole. */
  readonly plan: readonly PlannedChange[];
  /** The groups get another ID or another service: they are created there, then deleted here. */
  readonly isMove: boolean;
  /** The arguments that replace the resource. */
  readonly replaces: readonly string[];
  /** Whether the state gets another address or another form, without a change of a group. */
  readonly isRewritten: boolean;
}

/** Errors: service-changed, setting-invalid, state-invalid. */
export function planDiff(shape: Shape, request: DiffRequest, deployment: Deployment): PlannedDiff {
  const olds = propertiesOf(request.olds);
  const news = propertiesOf(request.news);
  const state = shape.parseState(request.id, olds);
  const wanted = shape.wantedIn(news);
  const address = addressChange(olds, news, deployment, `update ${shape.subject(request.id)}`);
  const otherService = address === "other-service" ? ["connection"] : [];
  const otherId = shape.isOne && !wanted.groups?.has(request.id) ? ["userGroupId"] : [];
  const moves = [...otherId, ...otherService];
  const isRewritten = address === "state-only" || request.isForeign === true || state.incomplete === true;
  const base = { olds, news, state, wanted, isRewritten };
  const groups = wanted.groups ?? new Map<string, JsonObject>();
  if (moves.length > 0) {
    const plan = planMove(state.groups, { ...wanted, groups });
    const replaces = [...moves, ...changedBeside(shape, state, news, deployment)];
    return { ...base, plan, isMove: true, replaces };
  }
  if (wanted.groups === undefined) return { ...base, plan: [], isMove: false, replaces: [] };
  const { changes } = readPartialSettings(deployment.sources, connectionIn(news));
  const now = deployment.clock.date();
  const changed = planChanges(state.groups, { ...wanted, groups }, { changes, now });
  const plan = withMoves(changed, request.resource, base, deployment);
  const [only] = plan;
  const isReplaced = shape.isOne && only?.action === "recreate";
  return { ...base, plan, isMove: false, replaces: isReplaced ? only.replaces : [] };
}

/**
 * A deletion is a move, if another resource of the program declares the group: it isn't deleted in this update.
 * It stays a deletion, if that resource has another group of the customer in its state. Former groups of a customer who moves have
 * their time.
 */
function withMoves(
  plan: readonly PlannedChange[],
  resource: Resource,
  { news, state, wanted }: Pick<PlannedDiff, "news" | "state" | "wanted">,
  { facts, clock }: Deployment,
): readonly PlannedChange[] {
  const connection = connectionIn(news);
  const overlap = overlapOf(wanted, clock.date());
  return plan.map((change) => {
    const stored = state.groups.get(change.userGroupId);
    if (!isLeaving(change) || !stored) return change;
    const customer = customerOf(connection, change.userGroupId);
    const owner = facts.declaredBy(customer, resource);
    if (!owner) return change;
    const over = (stored.former ?? []).filter((each) => isOver(each, overlap));
    if (change.action === "release") return { ...change, over };
    const hasAnother = facts
      .holdersOf(customer)
      .some(
        ({ resource: holder, is, group }) =>
          holder === owner.resource && is === "stays" && !isSameGroup(group, stored),
      );
    if (hasAnother) return change;
    return { ...change, action: "move", over };
  });
}

/** The other fields of a moving group that would replace it. */
function changedBeside(
  shape: Shape,
  { groups }: State,
  news: JsonObject,
  { sources }: Deployment,
): readonly string[] {
  const [stored] = groups.values();
  if (!shape.isOne || !stored) return [];
  return changeOf(stored, news, readPartialSettings(sources, connectionIn(news)).changes).replaces;
}

/** Errors: deletion-limit, groups-too-large. */
export function enforceLimits({ plan, state, news }: PlannedDiff): void {
  enforceDeletionLimit(plan, news["deletionLimit"]);
  assertStateSize(news["groups"], plan, state.groups);
}

export function diffOf(shape: Shape, { id }: DiffRequest, planned: PlannedDiff): Diff {
  const { olds, news, plan, isMove, replaces, isRewritten, wanted } = planned;
  const others = changedFields(shape.stateArguments, olds, news);
  const isChanged = plan.some(isEffective) || wanted.groups === undefined;
  return {
    changes: isChanged || isMove || others.length > 0 || isRewritten,
    replaces,
    // If an option of the resource replaces it, it is created first, so that the group keeps its token.
    deleteBeforeReplace: replaces.length > 0 && !isMove,
    details: new Map([...detailsOfPlan(shape, id, planned), ...detailsOf(others, olds, news)]),
  };
}

function detailsOfPlan(
  shape: Shape,
  id: string,
  { plan, state, olds, news, wanted, isMove, replaces }: PlannedDiff,
): Detail[] {
  if (shape.isOne) {
    const old = { ...olds, userGroupId: id };
    const change = plan.find(({ userGroupId }) => userGroupId === id);
    const details = detailsOf([...new Set([...replaces, ...(change?.fields ?? [])])], old, news);
    return [...details, ...(change ? formerDetails("former", change) : [])];
  }
  if (wanted.groups === undefined) return [["groups", "UPDATE"]];
  return isMove ? [] : detailsOfGroups(plan, state, wanted.groups);
}

/** The list of former groups loses some whose time is over. A list that gets one shows in the change that does it. */
function formerDetails(path: string, { over, waiting, action }: PlannedChange): Detail[] {
  if (over.length === 0) return [];
  return [[path, waiting.length > 0 || action === "renew" ? "UPDATE" : "DELETE"]];
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one, `former.acme` for former groups that go. */
function detailsOfGroups(
  plan: readonly PlannedChange[],
  state: State,
  groups: ReadonlyMap<string, JsonObject>,
): Detail[] {
  return plan.flatMap((change): Detail[] => {
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

/** As the engine writes property paths. */
function pathElement(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The fields of one group whose values a preview doesn't know. */
export function unknownFieldsIn({ news }: PlannedDiff): string[] {
  return Object.keys(news).filter((field) => isUnknown(news[field]));
}

/** The diff of both kinds of resources: a pure function of the state, the inputs, the settings and the claims. */
import { readPartialSettings } from "../settings/readSettings";
import { isUnknown, propertiesOf, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import { changedFields, changeKind, changeOf, detailsOf, type Detail } from "./changes";
import type { Deployment } from "./deployment";
import type { Diff, DiffRequest } from "./lifecycle";
import { enforceDeletionLimit, isEffective, planChanges, planMove, type PlannedChange } from "./plan";
import { addressChange } from "./services";
import type { PreviewedWanted, Shape, State } from "./shapes";

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
  const isRewritten = address === "state-only" || (request.isForeign ?? false);
  const base = { olds, news, state, wanted, isRewritten };
  const groups = wanted.groups ?? new Map<string, JsonObject>();
  if (moves.length > 0) {
    const plan = planMove(state.groups, state.removed, { ...wanted, groups });
    return {
      ...base,
      plan,
      isMove: true,
      replaces: [...moves, ...changedBeside(shape, state, news, deployment)],
    };
  }
  if (wanted.groups === undefined) return { ...base, plan: [], isMove: false, replaces: [] };
  const connection = connectionIn(news);
  const { changes } = readPartialSettings(deployment.sources, connection);
  const plan = planChanges(
    state.groups,
    { ...wanted, groups },
    { changes, claims: deployment.claims, connection },
  );
  const [only] = plan;
  const isReplaced = shape.isOne && only?.action === "recreate";
  return { ...base, plan, isMove: false, replaces: isReplaced ? only.replaces : [] };
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

/** Error: deletion-limit. A deletion in a former service follows the limit of the state. */
export function enforceLimits({ plan, isMove, state, news }: PlannedDiff): void {
  if (isMove) enforceDeletionLimit(plan, state.deletionLimit);
  enforceDeletionLimit(plan, news["deletionLimit"]);
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
    const fields = plan.find(({ userGroupId }) => userGroupId === id)?.fields ?? [];
    const isFormerDropped = plan.some(({ dropsFormer }) => dropsFormer);
    const details = detailsOf([...new Set([...replaces, ...fields])], old, news);
    return isFormerDropped ? [...details, ["former", "DELETE"]] : details;
  }
  if (wanted.groups === undefined) return [["groups", "UPDATE"]];
  return isMove ? [] : detailsOfGroups(plan, state, wanted.groups);
}

/** `groups.acme` for a group as a whole, `groups["a.b"].name` for a field of one, `former.acme` for a former group that goes. */
function detailsOfGroups(
  plan: readonly PlannedChange[],
  state: State,
  groups: ReadonlyMap<string, JsonObject>,
): Detail[] {
  return plan.flatMap(({ userGroupId, fields, dropsFormer }): Detail[] => {
    const before = state.groups.get(userGroupId);
    const after = groups.get(userGroupId);
    const path = `groups${pathElement(userGroupId)}`;
    if (before === undefined || after === undefined) return [[path, changeKind(before, after)]];
    const details = detailsOf(fields, before, after, `${path}.`);
    return dropsFormer ? [...details, [`former${pathElement(userGroupId)}`, "DELETE"]] : details;
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

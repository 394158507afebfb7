/** The planned changes of the groups of one resource. diff shows them, a preview announces them, create and update apply them. */
import type { Settings } from "../../settings/readSettings";
import { isUnknown } from "../../values";
import { formerWith, hoursOf, isOver, statedHours } from "../state/formerGroups";
import {
  changedFields,
  keeperFields,
  replacingFields,
  stateFields,
  type FormerGroup,
  type StoredGroup,
  type StoredGroups,
} from "../state/group";
import type { PreviewedWanted } from "../state/shapes";

/**
 * recreate: the group is deleted, then created again. renew: another group is created beside it (`overlap`). release: the group leaves the
 * state only. move: it leaves to another resource, which declares it. settle: a request ends a doubt. change state: fields change that
 * only the state has.
 */
export type Action =
  | "create"
  | "delete"
  | "move"
  | "release"
  | "recreate"
  | "renew"
  | "update"
  | "settle"
  | "change state"
  | "keep";

export interface PlannedChange {
  readonly userGroupId: string;
  readonly action: Action;
  /** The fields that differ, if the group exists and stays. */
  readonly fields: readonly string[];
  /** The fields of which a change gives the group a new token. */
  readonly replaces: readonly string[];
  /** Whether the action depends on a value that isn't known before `up`. */
  readonly isUncertain: boolean;
  /** The former groups whose time is over, so that they are deleted. */
  readonly over: readonly FormerGroup[];
  /** Former groups that stay. */
  readonly waiting: readonly FormerGroup[];
  /** renew: for how long the group stays that becomes a former one. */
  readonly hours: number;
  /** The hours that the program states, which count for former groups, too. */
  readonly stated: number | undefined;
  /** renew: the former group that has the program's values becomes the current one again. */
  readonly isRevival: boolean;
  /** The program's values of fields that an import didn't know are taken over. */
  readonly isClaim: boolean;
}

/** Wanted groups by `userGroupId`, and their resource's arguments; some values may be unknown. `now`: milliseconds since 1970. */
export interface PlanRequest {
  readonly wanted: Omit<PreviewedWanted, "groups"> & { readonly groups: ReadonlyMap<string, object> };
  readonly changes: Settings["changes"];
  readonly now: number;
}

export function planChanges(before: StoredGroups, request: PlanRequest): PlannedChange[] {
  const { wanted, now } = request;
  const { groups } = wanted;
  const leaving = [...before.values()].filter(({ userGroupId }) => !groups.has(userGroupId));
  const declared = [...groups].map(([userGroupId, values]) => {
    const stored = before.get(userGroupId);
    return stored ? planStaying(stored, values, request) : planned(userGroupId, "create");
  });
  return [...leaving.map((stored) => planLeaving(stored, wanted.removed, now)), ...declared];
}

/** The plan of a change of the service: create all groups in the new one, then delete or release all in the old one. */
export function planMove(
  before: StoredGroups,
  { wanted, now }: Pick<PlanRequest, "wanted" | "now">,
): PlannedChange[] {
  const isUncertain = isUnknown(wanted.connection) || isUnknown(wanted.removed);
  const created = [...wanted.groups.keys()].map((userGroupId) => planned(userGroupId, "create"));
  const left = [...before.values()].map((stored) => planLeaving(stored, wanted.removed, now));
  return [...created, ...left].map((change) => {
    const isInBoth = wanted.groups.has(change.userGroupId) && before.has(change.userGroupId);
    return { ...change, isUncertain, replaces: isInBoth ? ["connection"] : [] };
  });
}

/** removed: "retain" keeps all groups of the customer in the service, except former ones whose time is over. */
function planLeaving(
  { userGroupId, former = [] }: StoredGroup,
  removed: unknown,
  now: number,
): PlannedChange {
  if (removed === "retain")
    return { ...planned(userGroupId, "release"), over: former.filter((each) => isOver(each, now)) };
  return { ...planned(userGroupId, "delete"), isUncertain: isUnknown(removed) };
}

function planStaying(
  stored: StoredGroup,
  values: object,
  { wanted, changes, now }: PlanRequest,
): PlannedChange {
  const change = changeOf(stored, values, changes);
  const action = actionFor(stored, change, wanted.overlap === true);
  const revived = action === "renew" ? formerWith(stored, values) : undefined;
  const former = (stored.former ?? []).filter((each) => each !== revived);
  const stated = statedHours(wanted, values);
  return {
    ...planned(stored.userGroupId, action),
    fields: change.fields,
    replaces: change.replaces,
    isUncertain: isUnknown(values) || isUnknown(wanted.overlap) || isUnknown(wanted.overlapHours),
    over: former.filter((each) => isOver(each, now, stated)),
    waiting: former.filter((each) => !isOver(each, now, stated)),
    hours: action === "renew" ? hoursOf(wanted, values) : 0,
    stated,
    isRevival: revived !== undefined,
    isClaim: change.isClaim && action === "change state",
  };
}

/** The changed fields of a group that stays. */
export function changeOf(stored: StoredGroup, given: object, changes: Settings["changes"]) {
  const unknown: readonly string[] = stored.unknown ?? [];
  const rewritten = changedFields(replacingFields, stored, given).filter((field) => !unknown.includes(field));
  const keepers = changedFields(keeperFields, stored, given).filter((field) => !unknown.includes(field));
  const others = changedFields(stateFields, stored, given);
  const claims = unknown.filter((field) => Reflect.get(given, field) !== undefined);
  return {
    fields: [...rewritten, ...keepers, ...claims, ...others],
    /** The fields that give the group a new token. */
    replaces: [...(changes === "replace" ? rewritten : []), ...keepers],
    /** The fields that an update sends to the service. */
    updates: changes === "update" ? rewritten : [],
    /** The program has values of fields that an import didn't know, or no keepers, which are none from now on. */
    isClaim: unknown.includes("keepers") || claims.some((field) => !isUnknown(Reflect.get(given, field))),
    /** The program has taken over a drift, which the state still has. */
    isDriftTakenOver: rewritten.length === 0 && stored.sent !== undefined,
  };
}

/** With another ID in the service, also a group without `overlap` is renewed: back to the plain ID. */
function actionFor(stored: StoredGroup, change: ReturnType<typeof changeOf>, overlaps: boolean): Action {
  const { fields, updates, replaces, isDriftTakenOver, isClaim } = change;
  if (replaces.length > 0) return overlaps || stored.providedId !== stored.userGroupId ? "renew" : "recreate";
  if (updates.length > 0) return "update";
  if (stored.doubt) return "settle";
  return fields.length > 0 || isDriftTakenOver || isClaim ? "change state" : "keep";
}

export function planned(userGroupId: string, action: Action): PlannedChange {
  return {
    userGroupId,
    action,
    fields: [],
    replaces: [],
    isUncertain: false,
    over: [],
    waiting: [],
    hours: 0,
    stated: undefined,
    isRevival: false,
    isClaim: false,
  };
}

/** Whether the group leaves its resource; whether a request changes it; or the state only. */
export function kindOf({ action }: PlannedChange): "leaves" | "is requested" | "state only" {
  if (action === "delete" || action === "move" || action === "release") return "leaves";
  return action === "keep" || action === "change state" ? "state only" : "is requested";
}

/** Whether the change sends a request, if only to delete former groups. */
export function isRequest(change: PlannedChange): boolean {
  return change.over.length > 0 || kindOf(change) !== "state only";
}

/** Whether the customer's current group is deleted: at once, or with the next `up`. */
export function isDeleting({ action, hours }: PlannedChange): boolean {
  return action === "delete" || action === "recreate" || (action === "renew" && hours === 0);
}

/** The guards that the state has and the program doesn't state, although a value that isn't known yet counts as stated. */
export function droppedGuards(
  state: Omit<PreviewedWanted, "groups">,
  wanted: Omit<PreviewedWanted, "groups">,
): string[] {
  const dropped: string[] = [];
  if (state.removed === "retain" && wanted.removed == null) dropped.push('removed: "retain"');
  if (typeof state.deletionLimit === "number" && wanted.deletionLimit == null)
    dropped.push(`deletionLimit: ${state.deletionLimit}`);
  if (state.overlap === true && wanted.overlap == null) dropped.push("overlap: true");
  return dropped;
}

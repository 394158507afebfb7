/**
 * Next to check and diff: adds what a program declares and what its resources have in their states to the claims, and announces what
 * a preview should say. It decides nothing.
 */
import { namesOf, UserGroupError, withCode, type GroupName } from "../errors";
import { readPartialSettings } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import { isUnknown, type JsonObject } from "../values";
import { connectionIn } from "./arguments";
import { keyOf, type Claims, type Fate, type GroupInState, type GroupKey, type Resource } from "./claims";
import type { Deployment, Logger } from "./deployment";
import { unknownFieldsIn, type PlannedDiff } from "./diff";
import type { StoredGroup } from "./drift";
import type { CheckRequest } from "./lifecycle";
import { idTakenByOverlap, requestedByOverlap, warningOf } from "./messages";
import { announceMany, announceOne, type PlannedChange } from "./plan";
import * as warnings from "./previewWarnings";
import type { Shape, State } from "./shapes";

/** check: the program declares groups. Returns an issue for those that another resource declares. Error: setting-invalid. */
export function declareGroups(
  { resource, olds, news }: CheckRequest,
  groups: ReadonlyMap<string, JsonObject>,
  { claims, logger, sources }: Deployment,
): ValidationIssue[] {
  const connection = connectionIn(news);
  readPartialSettings(sources, connection);
  const declared = isUnknown(news["connection"]) ? [] : [...groups];
  const keyed = declared.map(([userGroupId, values]) => ({
    name: { userGroupId, connection },
    key: keyOf(connection, userGroupId),
    values,
  }));
  claims.declare(
    resource,
    keyed.map(({ key, values }) => [key, values] as const),
    news["deletionLimit"],
  );
  const replaced = Object.keys(olds).length === 0 ? claims.replaceByEngine(resource) : [];
  const overlapping = replaced.filter(({ isOverlapping }) => isOverlapping);
  if (overlapping.length > 0) return [overlapReplaced(overlapping.map(({ group }) => group))];
  announceReplacement(replaced, logger);
  const removed = keyed.filter(({ name }) => isRemovedBefore(claims, resource, name));
  if (removed.length > 0) logger.warn(warnings.removedElsewhere(removed.map(({ name }) => name)));
  const taken = keyed.flatMap(({ key, name }) => takenByOverlap(claims, key, name));
  if (taken.length > 0) return taken;
  const twice = keyed.filter(({ key }) => isDeclaredByOther(claims, resource, key));
  if (twice.length === 0) return [];
  const sentence =
    `Another resource of this program also declares ${namesOf(twice.map(({ name }) => name))}, by the same connection. Both resources ` +
    "would have the same token, and one mapping would be wrong. Declare the group once, and read it elsewhere by UserGroup.get.";
  return [{ path: "", reason: withCode("declared-twice", sentence) }];
}

function overlapReplaced(groups: readonly StoredGroup[]): ValidationIssue {
  const sentence =
    `An option (replaceOnChanges, replacementTrigger or replaceWith) replaces the resource of ${namesOf(groups)}, but a change with ` +
    "overlap keeps the resource. Nothing was changed. Remove the option, or set overlap to false.";
  return { path: "", reason: withCode("setting-conflict", sentence) };
}

/** check: a state that was seen before has the ID for another customer. */
function takenByOverlap(
  claims: Claims,
  key: GroupKey,
  { userGroupId, connection }: GroupName,
): ValidationIssue[] {
  const taking = claims.about(key).find(({ state }) => state && state.group.userGroupId !== userGroupId);
  if (!taking?.state) return [];
  const sentence = idTakenByOverlap({ ...taking.state.group, connection }, userGroupId);
  return [{ path: "", reason: withCode("overlap-id-taken", sentence) }];
}

function isDeclaredByOther(claims: Claims, resource: Resource, key: GroupKey): boolean {
  return (
    resource !== undefined && claims.about(key).some((claim) => claim.resource !== resource && claim.declared)
  );
}

function isRemovedBefore(
  claims: Claims,
  resource: Resource,
  { connection, userGroupId }: GroupName,
): boolean {
  const others = claims.ofCustomer(connection, userGroupId).filter((claim) => claim.resource !== resource);
  const isHeld = others.some(({ got, state }) => got !== undefined || state?.fate === "stays");
  return !isHeld && others.some(({ state }) => state?.fate === "removed");
}

function announceReplacement(replaced: readonly GroupInState[], logger: Logger): void {
  const [first] = replaced;
  if (first) logger.warn(warnings.replacedByOption(first.group, replaced.length - 1));
}

/** diff: a customer of the program has the ID that `overlap` has given to a group of this state. Error: overlap-id-taken. */
export function assertOwnIds({ state, news }: PlannedDiff, claims: Claims): void {
  const connection = connectionIn(news);
  for (const stored of state.groups.values())
    for (const { providedId } of [stored, ...(stored.former ? [stored.former] : [])]) {
      const isDeclared = claims
        .about(keyOf(connection, providedId))
        .some(({ declared }) => declared !== undefined);
      if (isDeclared && providedId !== stored.userGroupId)
        throw new UserGroupError("overlap-id-taken", idTakenByOverlap({ ...stored, connection }, providedId));
    }
}

/**
 * diff: a change with `overlap` has requested a group of this state for another customer, because the program hadn't declared it yet.
 * A service that updates existing groups has the values of that change. Error: overlap-id-taken.
 */
export function assertUntouched({ state, news }: PlannedDiff, claims: Claims): void {
  const connection = connectionIn(news);
  for (const stored of state.groups.values()) {
    const taking = claims.about(keyOf(connection, stored.providedId)).find(({ isTaken }) => isTaken);
    if (taking) throw requestedByOverlap({ ...stored, connection }, taking.resource);
  }
}

/** diff: what a preview says beside the engine's own words. */
export function announce(shape: Shape, planned: PlannedDiff, logger: Logger): void {
  const { plan, isMove, wanted } = planned;
  const unknownFields = unknownFieldsIn(planned);
  if (shape.isOne) {
    announceOnly(planned, unknownFields, logger);
    return;
  }
  if (wanted.groups === undefined && !isMove) logger.warn(warnings.groupsNotKnown());
  announceMany(plan, logger);
}

/** The preview shows a move to another known ID or service by itself. */
function announceOnly(
  { plan, isMove, replaces, state }: PlannedDiff,
  unknownFields: readonly string[],
  logger: Logger,
): void {
  const unknown = replaces.filter((field) => unknownFields.includes(field));
  const [change] = plan;
  if (!isMove) {
    if (change) announceOne(change, unknownFields, logger);
    return;
  }
  const [stored] = state.groups.values();
  if (unknown.length > 0 && stored) announceOne({ ...recreated(stored), replaces: unknown }, unknown, logger);
}

function recreated({ userGroupId }: StoredGroup): PlannedChange {
  return { userGroupId, action: "recreate", fields: [], replaces: [], isUncertain: true, dropsFormer: false };
}

/** The program's values of fields that an import didn't know are taken over. */
export function announceClaims(plan: readonly PlannedChange[], former: State, logger: Logger): void {
  const groups = plan.filter(({ userGroupId, fields, action }) => {
    const unknown = former.groups.get(userGroupId)?.unknown ?? [];
    return action === "change state" && fields.some((field) => unknown.some((each) => each === field));
  });
  if (groups.length > 0) logger.warn(warningOf("claim-taken-over", groups));
}

/** diff: a resource of the program has groups in its state, and the plan says what becomes of each. */
export function recordPlan(shape: Shape, resource: Resource, planned: PlannedDiff, claims: Claims): void {
  const { state, plan, isMove, olds, news } = planned;
  // A move deletes the groups by their former connection.
  const connection = connectionIn(isMove ? olds : news);
  const changes = new Map(plan.map((change) => [change.userGroupId, change]));
  const entries = [...state.groups.values()].flatMap((group) => {
    const change = changes.get(group.userGroupId);
    const isOverlapping = change?.action === "overlap" && !change.isUncertain;
    return entriesFor({ group, fate: fateOf(shape, planned, change), isOverlapping }, connection);
  });
  claims.record(resource, entries);
}

function fateOf(shape: Shape, { isMove, wanted }: PlannedDiff, change: PlannedChange | undefined): Fate {
  if (isMove) return "leaves";
  if (wanted.groups === undefined || change === undefined) return "unclear";
  if (change.action === "recreate") return shape.isOne || !change.isUncertain ? "replaced" : "unclear";
  if (change.action !== "delete" && change.action !== "release") return "stays";
  if (change.isUncertain) return "unclear";
  return change.action === "delete" ? "removed" : "leaves";
}

/** The group, and the former one that `overlap` keeps, which stays only as long as the resource doesn't change. */
function entriesFor(current: GroupInState, connection: string | undefined): [GroupKey, GroupInState][] {
  const { group } = current;
  const { former } = group;
  const entry: [GroupKey, GroupInState] = [keyOf(connection, group.providedId), current];
  if (!former) return [entry];
  const state = {
    group: { ...group, ...former, former: undefined },
    fate: "removed",
    isFormer: true,
  } as const;
  return [entry, [keyOf(connection, former.providedId), state]];
}

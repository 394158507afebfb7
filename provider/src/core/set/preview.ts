/** What a preview shows beside the engine's own words: who gets a new token, which groups come and go, and the outputs that are known. */
import { firstFew, type GroupName } from "../../errors";
import { readPartialSettings, type SettingSources } from "../../settings/readSettings";
import { getOrAdd, isEqual, isUnknown, unknownValue, type JsonObject } from "../../values";
import type { Logger } from "../deployment/context";
import * as warnings from "../messages/warnings";
import { endOf } from "../state/formerGroups";
import type { StoredGroup } from "../state/group";
import { connectionOf, type PreviewedWanted, type Shape, type State } from "../state/shapes";
import { isRenamed, type PlannedDiff } from "./diff";
import { isDeleting, kindOf, planChanges, planned, type Action, type PlannedChange } from "./plan";

/** The announcements of a diff. */
export function announce(shape: Shape, diff: PlannedDiff, logger: Logger): void {
  const { request, wanted, isMove, plan } = diff;
  if (isRenamed(request)) logger.info(warnings.renamedText(shape.subject(request.id)));
  const isUnknownGuard = [wanted.removed, wanted.deletionLimit, wanted.overlap].some(isUnknown);
  if (isUnknownGuard) logger.warn(warnings.guardsNotKnown());
  if (shape.isOne) {
    announceOnly(diff, logger);
    return;
  }
  if (wanted.groups === undefined && !isMove) logger.warn(warnings.groupsNotKnown());
  announceMany(plan, diff, logger);
}

/** The groups that a new `UserGroups` creates. The engine only says that the resource is created. */
export function announceCreation(
  groups: readonly GroupName[],
  wanted: PreviewedWanted,
  logger: Logger,
): void {
  if (groups.length > 0) logger.info(warnings.plannedChangesText([warnings.creationText(groups, wanted)]));
}

/** The program's values of fields that an import didn't know are taken over. */
export function announceClaims(plan: readonly PlannedChange[], logger: Logger): void {
  const claims = plan.filter(({ isClaim }) => isClaim);
  if (claims.length > 0) logger.warn(warnings.warningOf("claim-taken-over", claims));
}

function announceOnly(diff: PlannedDiff, logger: Logger): void {
  const { request, plan, isMove, replaces, state, wanted } = diff;
  const connection = connectionOf(wanted);
  const unknownFields = Object.keys(request.news).filter((field) => isUnknown(request.news[field]));
  const [change] = plan;
  if (!isMove) {
    if (change) announceOne({ ...change, connection }, unknownFields, wanted, logger);
    return;
  }
  const unknown = replaces.filter((field) => unknownFields.includes(field));
  const [stored] = state.groups.values();
  if (!stored) return;
  if (unknown.length === 0) {
    announceMany(plan, diff, logger);
    return;
  }
  const possibly = { ...planned(stored.userGroupId, "recreate"), isUncertain: true, replaces: unknown };
  announceOne({ ...possibly, connection }, unknown, wanted, logger);
}

/** Warns of a new token and of deleted former groups. The preview shows all other changes of one group by itself. */
function announceOne(
  change: PlannedChange & GroupName,
  unknown: readonly string[],
  wanted: PreviewedWanted,
  logger: Logger,
): void {
  const { action, replaces, over, waiting, stated, isRevival } = change;
  if (over.length > 0) logger.warn(warnings.formerGroupDeleted(change, over.length));
  if (action === "settle") logger.warn(warnings.toBeSettled(change));
  if (isRevival) logger.warn(warnings.formerToken(change, formerText(change, wanted)));
  else if (action === "renew" || action === "recreate") {
    const former = action === "renew" ? formerText(change, wanted) : undefined;
    const ends = waiting.map((each) => endOf(each, stated));
    logger.warn(warnings.newToken(change, { changed: replaces, unknown, former, waiting: ends }));
  }
}

/** What becomes of a group whose customer gets another one. */
function formerText({ hours }: PlannedChange, { overlap }: PreviewedWanted, isPlural = false): string {
  return warnings.formerGroupText(overlap === true ? hours : undefined, isPlural);
}

/** Logs one line with the planned changes of many groups, because the engine shows one resource only. */
function announceMany(plan: readonly PlannedChange[], diff: PlannedDiff, logger: Logger): void {
  const parts = [false, true].flatMap((isUncertain) =>
    partsOf(
      plan.filter((change) => change.isUncertain === isUncertain),
      diff,
      isUncertain ? "possibly " : "",
    ),
  );
  if (parts.length === 0) return;
  const isWarning = plan.some(
    (change) =>
      isDeleting(change) || change.action === "renew" || change.over.length > 0 || isElsewhere(change),
  );
  if (isWarning) logger.warn(warnings.plannedChanges(parts));
  else logger.info(warnings.plannedChangesText(parts));
}

/** The customer has a group in the service of the state and gets one in another. */
function isElsewhere({ replaces }: PlannedChange): boolean {
  return replaces.includes("connection");
}

/** The words for each planned change, in the order in which they are announced. Undefined: the engine shows it. */
const wording: Record<Action, (change: PlannedChange, diff: PlannedDiff) => string | undefined> = {
  create: (change) => (isElsewhere(change) ? "get a new token in another service" : "create"),
  delete: (change, diff) => `delete${isElsewhere(change) ? " in the previous service" : ""}${atOnce(diff)}`,
  move: () => "move to another resource",
  recreate: () => "delete and create again with a new token",
  renew: (change, { wanted }) =>
    change.isRevival
      ? `get back the token of a former group, while the groups that they have now ${formerText(change, wanted, true)}`
      : `get a new token, while their former groups ${formerText(change, wanted, true)}`,
  update: () => "update",
  settle: () => "request again, because an earlier request may have been applied",
  release: () => "remove from the state only",
  "change state": () => undefined,
  keep: () => undefined,
};

function atOnce({ isMove, wanted }: PlannedDiff): string {
  return isMove && wanted.overlap === true
    ? " with their former groups at once, because overlap doesn't hold for this change"
    : "";
}

/** Each change is counted with those that have the same words; then those that keep or lose former groups of earlier changes. */
function partsOf(plan: readonly PlannedChange[], diff: PlannedDiff, possibly: string): string[] {
  const byWords = new Map<string, PlannedChange[]>();
  for (const action of actions)
    for (const change of plan.filter((each) => each.action === action)) {
      const words = wording[action](change, diff);
      if (words !== undefined) getOrAdd(byWords, words, () => []).push(change);
    }
  const keeping = plan.filter(({ action, waiting }) => action === "renew" && waiting.length > 0);
  const ends = keeping.flatMap(({ waiting, stated }) => waiting.map((each) => endOf(each, stated)));
  if (keeping.length > 0)
    byWords.set(`keep former groups of earlier changes until ${ends.sort().at(-1)}`, keeping);
  const losing = plan.filter(({ over }) => over.length > 0);
  if (losing.length > 0) byWords.set("lose former groups", losing);
  return [...byWords].map(([words, changes]) => {
    const fields = warnings.fieldCounts(changes);
    const names = fields === "" ? firstFew(changes) : `${firstFew(changes)}; ${fields}`;
    return `${possibly}${changes.length} to ${words} (${names})`;
  });
}

const actions: readonly Action[] = [
  "create",
  "delete",
  "move",
  "recreate",
  "renew",
  "update",
  "settle",
  "release",
];

/** The outputs of a resource after the planned change, as far as they are known before it. `now`: milliseconds since 1970. */
export function previewedOutputs(
  shape: Shape,
  {
    id,
    news,
    olds,
  }: { readonly id: string; readonly news: JsonObject; readonly olds: JsonObject | undefined },
  sources: SettingSources,
  now: number,
): JsonObject {
  const outputNames = Object.values(shape.outputs);
  const unknowns = Object.fromEntries(outputNames.map((name) => [name, unknownValue]));
  const wanted = shape.wantedIn(news);
  const { groups } = wanted;
  if (groups === undefined) return { ...news, ...unknowns };
  const state = olds && shape.parseState(id, olds);
  const { changes } = readPartialSettings(sources, connectionOf(wanted));
  const before = state?.groups ?? new Map<string, StoredGroup>();
  const plan = planChanges(before, { wanted: { ...wanted, groups }, changes, now });
  const kept = plan.flatMap((change) => keptGroup(change, state));
  const tokens = shape.isOne ? {} : { tokens: tokensOf(groups, kept) };
  if (!state || kept.length < groups.size || !isSameSet(state, groups))
    return { ...news, ...unknowns, ...tokens };
  const outputs = shape.stateOf({
    ...state,
    groups: new Map(kept.map((group) => [group.userGroupId, group])),
  });
  const known = Object.fromEntries(outputNames.map((name) => [name, outputs[name]]));
  return { ...news, ...known };
}

/** The group as it will be in the state, if the change sends no request for it but the deletion of former groups. */
function keptGroup(change: PlannedChange, state: State | undefined): StoredGroup[] {
  const stored = state?.groups.get(change.userGroupId);
  if (!stored || kindOf(change) !== "state only") return [];
  return [{ ...stored, former: change.waiting.length > 0 ? change.waiting : undefined }];
}

function tokensOf(groups: ReadonlyMap<string, unknown>, kept: readonly StoredGroup[]): JsonObject {
  const known = new Map(kept.map(({ userGroupId, token }) => [userGroupId, token]));
  return Object.fromEntries(
    [...groups.keys()].map((userGroupId) => [userGroupId, known.get(userGroupId) ?? unknownValue]),
  );
}

function isSameSet(state: State | undefined, wanted: ReadonlyMap<string, JsonObject>): boolean {
  return isEqual([...(state?.groups.keys() ?? [])].sort(), [...wanted.keys()].sort());
}

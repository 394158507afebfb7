/** What a preview says beside the engine's own words: who gets a new token, and which groups come and go. */
import { firstFew, type GroupName } from "../../errors";
import { getOrAdd, isUnknown, type JsonObject } from "../../values";
import type { Logger } from "../deployment/context";
import * as warnings from "../messages/warnings";
import { isClaim, revivedBy, stillValid, type PlannedChange } from "../change/plan";
import { hoursOf } from "../rotation/overlap";
import type { PreviewedWanted, Shape } from "../state/shapes";
import type { PlannedDiff } from "./diff";

/** The announcements of a diff. */
export function announce(shape: Shape, diff: PlannedDiff, logger: Logger): void {
  const { request, wanted, plan, isOtherId } = diff;
  if (request.before !== undefined) logger.info(warnings.renamedText(shape.subject(request.id)));
  if ([wanted.removed, wanted.deletionLimit, wanted.overlap].some(isUnknown))
    logger.warn(warnings.guardsNotKnown());
  const claims = plan.filter(isClaim);
  if (claims.length > 0) announceClaims(claims, logger);
  if (!shape.isOne && wanted.groups === undefined) logger.warn(warnings.groupsNotKnown());
  if (shape.isOne && !isOtherId) announceOne(diff, logger);
  else if (isOtherId && diff.replaces.some((field) => isUnknown(request.news[field])))
    announcePossible(diff, logger);
  else announceMany(diff, logger);
}

/** What an import didn't know. Keepers alone are the user's own claim: no mapping is in doubt. */
function announceClaims(claims: PlannedDiff["plan"], logger: Logger): void {
  const isOfMapping = (change: PlannedChange<object>) =>
    change.is === "record" && change.from.notImported?.includes("mapping") === true;
  const ofMapping = claims.filter(isOfMapping);
  const ofKeepers = claims.filter((change) => !isOfMapping(change));
  if (ofMapping.length > 0) logger.warn(warnings.warningOf("claim-taken-over", ofMapping));
  if (ofKeepers.length > 0) logger.warn(warnings.warningOf("keepers-taken-over", ofKeepers));
}

/** The groups that a new `UserGroups` creates. The engine only says that the resource is created. */
export function announceCreation(
  groups: readonly GroupName[],
  wanted: PreviewedWanted,
  logger: Logger,
): void {
  if (groups.length > 0) logger.info(warnings.plannedChangesText([warnings.creationText(groups, wanted)]));
}

/** The values that aren't known yet may give the group another ID, or other values. */
function announcePossible({ request, replaces, state }: PlannedDiff, logger: Logger): void {
  const unknown = replaces.filter((field) => isUnknown(request.news[field]));
  for (const stored of state.groups.values())
    logger.warn(
      warnings.newToken(stored, { changed: unknown, unknown, former: undefined, stillValidUntil: [] }),
    );
}

/** A line for each effect on the group of a `UserGroup`. */
function announceOne(diff: PlannedDiff, logger: Logger): void {
  for (const change of diff.plan)
    for (const effect of effectsOf(change)) {
      const line = table[effect].one?.(change, diff);
      if (line !== undefined) logger.warn(line);
    }
}

/** One line with the planned changes of many groups, because the engine shows one resource only. */
function announceMany(diff: PlannedDiff, logger: Logger): void {
  const certain = byEffect(diff.plan.filter((change) => !change.isUncertain));
  const possible = byEffect(diff.plan.filter((change) => change.isUncertain));
  const parts = [...partsOf(certain, diff, ""), ...partsOf(possible, diff, "possibly ")];
  if (parts.length === 0) return;
  const all = new Set([...certain.keys(), ...possible.keys()]);
  if ([...all].some((effect) => table[effect].isWarning))
    logger.warn(warnings.plannedChanges(parts, all.has("recreate")));
  else logger.info(warnings.plannedChangesText(parts));
}

function byEffect(plan: PlannedDiff["plan"]): ReadonlyMap<Effect, Planned[]> {
  const found = new Map<Effect, Planned[]>();
  for (const change of plan)
    for (const effect of effectsOf(change)) getOrAdd(found, effect, () => []).push(change);
  return found;
}

/** Each change is counted with those that have the same words. */
function partsOf(
  planned: ReadonlyMap<Effect, readonly Planned[]>,
  diff: PlannedDiff,
  possibly: string,
): string[] {
  const byWords = new Map<string, Planned[]>();
  for (const effect of effects) {
    const same = planned.get(effect) ?? [];
    const latest = timesOf(same).sort().at(-1);
    for (const change of same)
      getOrAdd(byWords, table[effect].many(change, diff, latest), () => []).push(change);
  }
  return [...byWords].map(([words, changes]) => {
    const isRenewed = changes.some((change) => change.is === "request" && change.because.length > 0);
    const names = isRenewed ? `${firstFew(changes)}: ${warnings.fieldReasons(changes)}` : firstFew(changes);
    return `${possibly}${changes.length} to ${words} (${names})`;
  });
}

/** What a change does to the groups of a customer. The order is that of a line about many. */
const effects = [
  "create",
  "delete",
  "recreate",
  "renew",
  "revive",
  "update",
  "settle",
  "retain",
  "keepFormer",
  "loseFormer",
] as const;

type Effect = (typeof effects)[number];

function effectsOf(change: PlannedChange<object>): Effect[] {
  const main = change.is === "create" || change.is === "record" ? change.is : change.how;
  const found: Effect[] = [];
  if (main === "renew") found.push(revivedBy(change) ? "revive" : "renew");
  else if (main !== "record") found.push(main);
  if (main === "renew" && stillValid(change).length > 0) found.push("keepFormer");
  if (change.expired.length > 0) found.push("loseFormer");
  return found;
}

interface Words {
  /** Whether a customer loses a token, or gets another one. */
  readonly isWarning?: true;
  /** What follows the number of groups. `latest`: until when the last of their former groups of earlier changes stays. */
  readonly many: (change: Planned, diff: PlannedDiff, latest: string | undefined) => string;
  /** The line about the group of a `UserGroup`. Without it, the engine's own words say it. */
  readonly one?: (change: Planned, diff: PlannedDiff) => warnings.WarningLine;
}

type Planned = PlannedChange<JsonObject>;

const table: Readonly<Record<Effect, Words>> = {
  create: { many: () => "create" },
  delete: {
    isWarning: true,
    many: (_, { isOtherId, wanted }) => (isOtherId ? leavingText(wanted) : "delete"),
  },
  recreate: { isWarning: true, many: () => "delete and create again with a new token", one: newTokenOf },
  renew: {
    isWarning: true,
    many: (change, diff) => `get a new token, while their former groups ${formerText(change, diff, true)}`,
    one: newTokenOf,
  },
  revive: {
    isWarning: true,
    many: (change, diff) =>
      `get back the token of a former group, while the groups that they have now ${formerText(change, diff, true)}`,
    one: (change, diff) => warnings.formerToken(change, formerText(change, diff)),
  },
  update: { many: () => "update" },
  settle: {
    many: () => "request again, because an earlier request may have been applied",
    one: (change) => warnings.toBeSettled(change),
  },
  retain: { many: () => "remove from the state only" },
  keepFormer: {
    many: (_change, _diff, latest) => `keep former groups of earlier changes until ${latest}`,
  },
  loseFormer: {
    isWarning: true,
    many: () => "lose former groups",
    one: (change) => warnings.formerGroupDeleted(change, change.expired.length),
  },
};

/** The group of the previous ID. Whether another resource declares that one isn't known before the whole program is. */
function leavingText({ overlap }: PreviewedWanted): string {
  const atOnce =
    overlap === true ? " with their former groups at once, because overlap doesn't hold for this change" : "";
  return `delete${atOnce}, unless another resource of the program declares the customer`;
}

function newTokenOf(change: Planned, diff: PlannedDiff): warnings.WarningLine {
  const { news } = diff.request;
  const changed = change.is === "request" ? change.because : [];
  const unknown = Object.keys(news).filter((field) => isUnknown(news[field]));
  const former = change.is === "request" && change.how === "renew" ? formerText(change, diff) : undefined;
  return warnings.newToken(change, { changed, unknown, former, stillValidUntil: timesOf([change]) });
}

/** What becomes of a group whose customer gets another one. */
function formerText(change: Planned, { wanted }: PlannedDiff, isPlural = false): string {
  const group = "to" in change ? change.to : {};
  return warnings.formerGroupText(wanted.overlap === true ? hoursOf(wanted, group) : undefined, isPlural);
}

/** Until when former groups of earlier changes stay: ISO 8601 times. */
function timesOf(changes: readonly Planned[]): string[] {
  return changes.flatMap((change) => stillValid(change).map(({ until }) => until));
}

/** What a preview says beside the engine's own words: who gets a new token, and which groups come and go. */
import { firstFew, type GroupName } from "../../errors";
import { getOrAdd, isUnknown, type JsonObject } from "../../values";
import type { Logger } from "../deployment/context";
import * as warnings from "../messages/warnings";
import { deletesCurrent, isClaim, revivedBy, stillValid, type PlannedChange } from "../change/plan";
import { hoursOf } from "../rotation/overlap";
import type { PreviewedWanted, Shape } from "../state/shapes";
import type { PlannedDiff } from "./diff";

/** The announcements of a diff. */
export function announce(shape: Shape, diff: PlannedDiff, logger: Logger): void {
  const { request, wanted, plan, isOtherId } = diff;
  if (request.before !== undefined) logger.info(warnings.renamedText(shape.subject(request.id)));
  if ([wanted.removed, wanted.deletionLimit, wanted.overlap].some(isUnknown))
    logger.warn(warnings.guardsNotKnown());
  announceClaims(plan.filter(isClaim), logger);
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
    logger.warn(warnings.newToken(stored, { changed: unknown, unknown, former: undefined, waiting: [] }));
}

/** Warns of a new token and of deleted former groups. The preview shows all other changes of one group by itself. */
function announceOne({ request, plan, wanted }: PlannedDiff, logger: Logger): void {
  const unknown = Object.keys(request.news).filter((field) => isUnknown(request.news[field]));
  for (const change of plan) {
    if (change.expired.length > 0) logger.warn(warnings.formerGroupDeleted(change, change.expired.length));
    if (change.is !== "request" || change.how === "update") continue;
    if (change.how === "settle") logger.warn(warnings.toBeSettled(change));
    else if (revivedBy(change)) logger.warn(warnings.formerToken(change, formerText(change, wanted)));
    else {
      const former = change.how === "renew" ? formerText(change, wanted) : undefined;
      const waiting = stillValid(change).map(({ until }) => until);
      logger.warn(warnings.newToken(change, { changed: change.because, unknown, former, waiting }));
    }
  }
}

/** What becomes of a group whose customer gets another one. */
function formerText({ to }: { readonly to: object }, wanted: PreviewedWanted, isPlural = false): string {
  return warnings.formerGroupText(wanted.overlap === true ? hoursOf(wanted, to) : undefined, isPlural);
}

/** Logs one line with the planned changes of many groups, because the engine shows one resource only. */
function announceMany(diff: PlannedDiff, logger: Logger): void {
  const { plan, wanted } = diff;
  const certain = partsOf(
    plan.filter((change) => !change.isUncertain),
    diff,
    "",
  );
  const possible = partsOf(
    plan.filter((change) => change.isUncertain),
    diff,
    "possibly ",
  );
  const parts = [...certain, ...possible];
  if (parts.length === 0) return;
  const isWarning = plan.some(
    (change) =>
      deletesCurrent(change, wanted) ||
      (change.is === "request" && change.how === "renew") ||
      change.expired.length > 0,
  );
  if (isWarning) logger.warn(warnings.plannedChanges(parts));
  else logger.info(warnings.plannedChangesText(parts));
}

/** Each change is counted with those that have the same words; then those that keep or lose former groups of earlier changes. */
function partsOf(plan: PlannedDiff["plan"], diff: PlannedDiff, possibly: string): string[] {
  const byWords = new Map<string, PlannedChange<JsonObject>[]>();
  const ordered = [...plan].sort((one, other) => rankOf(one) - rankOf(other));
  for (const change of ordered) {
    const words = wordsFor(change, diff);
    if (words !== undefined) getOrAdd(byWords, words, () => []).push(change);
  }
  const renewed = plan.filter((change) => change.is === "request" && change.how === "renew");
  const keeping = renewed.filter((change) => stillValid(change).length > 0);
  const ends = keeping.flatMap((change) => stillValid(change).map(({ until }) => until));
  if (keeping.length > 0)
    byWords.set(`keep former groups of earlier changes until ${ends.sort().at(-1)}`, keeping);
  const losing = plan.filter(({ expired }) => expired.length > 0);
  if (losing.length > 0) byWords.set("lose former groups", losing);
  return [...byWords].map(([words, changes]) => {
    const isRenewed = changes.some((change) => change.is === "request" && change.because.length > 0);
    const names = isRenewed ? `${firstFew(changes)}: ${warnings.fieldReasons(changes)}` : firstFew(changes);
    return `${possibly}${changes.length} to ${words} (${names})`;
  });
}

const order = ["create", "delete", "recreate", "renew", "update", "settle", "retain"];

function rankOf(change: PlannedChange<object>): number {
  if (change.is === "create" || change.is === "record") return order.indexOf("create");
  return order.indexOf(change.how);
}

/** The words for a planned change. Undefined: the engine shows it. */
function wordsFor(change: PlannedChange<object>, { isOtherId, wanted }: PlannedDiff): string | undefined {
  if (change.is === "create") return "create";
  if (change.is === "record") return undefined;
  switch (change.how) {
    case "delete":
      return isOtherId ? leavingText(wanted) : "delete";
    case "retain":
      return "remove from the state only";
    case "recreate":
      return "delete and create again with a new token";
    case "renew":
      return revivedBy(change)
        ? `get back the token of a former group, while the groups that they have now ${formerText(change, wanted, true)}`
        : `get a new token, while their former groups ${formerText(change, wanted, true)}`;
    case "update":
      return "update";
    case "settle":
      return "request again, because an earlier request may have been applied";
  }
}

/** The group of the previous ID. Whether another resource declares that one isn't known before the whole program is. */
function leavingText({ overlap }: PreviewedWanted): string {
  const atOnce =
    overlap === true ? " with their former groups at once, because overlap doesn't hold for this change" : "";
  return `delete${atOnce}, unless another resource of the program declares the customer`;
}

/** The announcements of a preview beside the engine's own words: who gets a new token, which groups come and go. */
import { firstFew, type GroupName } from "../../errors";
import { connectionIn } from "../arguments";
import type { Logger } from "../deployment/context";
import * as warnings from "../messages/warnings";
import { warningOf } from "../messages/warnings";
import type { Action } from "../state/changes";
import { endOf, overlapOf } from "../state/formerGroups";
import type { PlannedArguments, Shape, State } from "../state/shapes";
import { unknownFieldsIn, type PlannedDiff } from "./diff";
import { deletingActions, planned, type PlannedChange } from "./plan";

export function announce(shape: Shape, diff: PlannedDiff, logger: Logger): void {
  const { plan, isMove, wanted } = diff;
  if (shape.isOne) {
    announceOnly(diff, logger);
    return;
  }
  if (wanted.groups === undefined && !isMove) logger.warn(warnings.groupsNotKnown());
  announceMany(plan, wanted, logger);
}

/** The groups that a new `UserGroups` creates. The engine only says that the resource is created. */
export function announceCreation(userGroupIds: readonly string[], logger: Logger): void {
  const groups = userGroupIds.map((userGroupId) => ({ userGroupId }));
  if (groups.length === 0) return;
  logger.info(
    warnings.plannedChangesText([
      `${groups.length} to create, or to adopt if they exist (${firstFew(groups)})`,
    ]),
  );
}

/** The program's values of fields that an import didn't know are taken over. */
export function announceClaims(plan: readonly PlannedChange[], former: State, logger: Logger): void {
  const groups = plan.filter(({ userGroupId, fields, action }) => {
    const unknown = former.groups.get(userGroupId)?.unknown ?? [];
    return action === "change state" && fields.some((field) => unknown.some((each) => each === field));
  });
  if (groups.length > 0) logger.warn(warningOf("claim-taken-over", groups));
}

function announceOnly(diff: PlannedDiff, logger: Logger): void {
  const { plan, isMove, replaces, state, wanted } = diff;
  const connection = connectionIn(diff.news);
  const unknownFields = unknownFieldsIn(diff);
  const [change] = plan;
  if (!isMove) {
    if (change) announceOne({ ...change, connection }, unknownFields, wanted, logger);
    return;
  }
  const unknown = replaces.filter((field) => unknownFields.includes(field));
  const [stored] = state.groups.values();
  if (!stored) return;
  if (unknown.length === 0) {
    announceMany(plan, wanted, logger);
    return;
  }
  const possibly = {
    ...planned(stored.userGroupId, "recreate"),
    isUncertain: true,
    replaces: unknown,
    connection,
  };
  announceOne(possibly, unknown, wanted, logger);
}

/** Warns of a new token and of deleted former groups. The preview shows all other changes of one group by itself. */
function announceOne(
  change: PlannedChange & GroupName,
  unknown: readonly string[],
  wanted: PlannedArguments,
  logger: Logger,
): void {
  const { action, replaces, over, waiting, isRevival } = change;
  const { hours } = overlapOf(wanted, 0);
  if (over.length > 0) logger.warn(warnings.formerGroupDeleted(change, over.length));
  if (action === "settle") logger.warn(warnings.toBeSettled(change));
  if (isRevival) logger.warn(warnings.formerToken(change, formerIn(wanted)));
  else if (action === "renew" || action === "recreate") {
    const former = action === "renew" ? formerIn(wanted) : undefined;
    const ends = waiting.map((each) => endOf(each, hours));
    logger.warn(warnings.newToken(change, { changed: replaces, unknown, former, waiting: ends }));
  }
}

/** What becomes of a group whose customer gets another one. */
function formerIn(wanted: PlannedArguments, isPlural?: boolean): string {
  return warnings.formerGroupText(wanted.overlap === true ? overlapOf(wanted, 0).hours : undefined, isPlural);
}

/** Logs one line with the planned changes of many groups, because the engine shows one resource only. */
function announceMany(plan: readonly PlannedChange[], wanted: PlannedArguments, logger: Logger): void {
  const announced = announcedChanges(plan, wanted);
  const parts = [false, true].flatMap((isUncertain) =>
    announced.flatMap(({ words, isOf }) => {
      const changes = plan.filter((change) => isOf(change) && change.isUncertain === isUncertain);
      const possibly = isUncertain ? "possibly " : "";
      return changes.length > 0 ? [`${possibly}${changes.length} to ${words} (${firstFew(changes)})`] : [];
    }),
  );
  if (parts.length === 0) return;
  const isWarning = plan.some(
    (change) => deletingActions.has(change.action) || change.over.length > 0 || isBetweenServices(change),
  );
  if (isWarning) logger.warn(warnings.plannedChanges(parts));
  else logger.info(warnings.plannedChangesText(parts));
}

const of = (action: Action) => (change: PlannedChange) => change.action === action && !change.isRevival;

/** The customer has a group in the former service and gets one in another. */
const isBetweenServices = ({ replaces }: PlannedChange) => replaces.includes("connection");
const between = (action: Action) => (change: PlannedChange) =>
  of(action)(change) && isBetweenServices(change);
const within = (action: Action) => (change: PlannedChange) =>
  of(action)(change) && !isBetweenServices(change);

function announcedChanges(plan: readonly PlannedChange[], wanted: PlannedArguments) {
  const { hours } = overlapOf(wanted, 0);
  const former = formerIn(wanted, true);
  const isWaiting = ({ action, waiting }: PlannedChange) => action === "renew" && waiting.length > 0;
  const last = plan.filter(isWaiting).flatMap(({ waiting }) => waiting.map((former) => endOf(former, hours)));
  return [
    { words: "create", isOf: within("create") },
    { words: "get a new token in another service", isOf: between("create") },
    { words: "delete", isOf: within("delete") },
    { words: "delete in the former service", isOf: between("delete") },
    { words: "move to another resource", isOf: of("move") },
    { words: "delete and create again with a new token", isOf: of("recreate") },
    { words: `get a new token, while their former groups ${former}`, isOf: of("renew") },
    {
      words: `get back the token of a former group, while the groups that they have now ${former}`,
      isOf: ({ isRevival }: PlannedChange) => isRevival,
    },
    { words: `keep former groups of earlier changes until ${last.sort().at(-1)}`, isOf: isWaiting },
    { words: "lose former groups", isOf: ({ over }: PlannedChange) => over.length > 0 },
    { words: "update", isOf: of("update") },
    { words: "request again, because an earlier request may have been applied", isOf: of("settle") },
    { words: "remove from the state only", isOf: of("release") },
  ];
}

/**
 * The groups that `overlap` keeps for a customer after a change: for how long each stays, and which has the values that the program wants
 * again. A former group ends by time: each has the hours of the change that replaced it, and a smaller number that the program states for
 * the customer counts instead.
 */
import type { CreatedGroup } from "../../service/client";
import { fromIsoTime, toIsoTime } from "../../service/http/clock";
import { changedFields, isSameGroup, keeperFields, replacingFields, valuesOf } from "./group";
import type { FormerGroup, StoredGroup } from "./group";
import type { PreviewedWanted } from "./shapes";

const defaultHours = 24;

/**
 * For how many hours a change keeps the former group. `group`: its values; in a `UserGroups` they may have hours of their own. Without
 * `overlap`, none.
 */
export function hoursOf(
  args: Pick<PreviewedWanted, "overlap" | "overlapHours">,
  group: Pick<PreviewedWanted, "overlapHours">,
): number {
  if (args.overlap !== true) return 0;
  const hours = group.overlapHours ?? args.overlapHours ?? defaultHours;
  return typeof hours === "number" ? hours : defaultHours;
}

/** The hours that a program states for a customer, which count for former groups, too. Undefined: it states none. */
export function statedHours(
  args: Pick<PreviewedWanted, "overlap" | "overlapHours">,
  group: Pick<PreviewedWanted, "overlapHours">,
): number | undefined {
  if (args.overlap === false) return 0;
  const hours = group.overlapHours ?? args.overlapHours;
  return typeof hours === "number" ? hours : undefined;
}

/** Until when a former group stays: an ISO 8601 time. `stated`: the hours that the program states for the customer. */
export function endOf({ since, hours }: FormerGroup, stated = hours): string {
  return toIsoTime(fromIsoTime(since) + Math.min(hours, stated) * 3_600_000);
}

/** `now`: milliseconds since 1970. A group without hours ends with the next `up`, whatever the clock says. */
export function isOver(former: FormerGroup, now: number, stated = former.hours): boolean {
  const hours = Math.min(former.hours, stated);
  return hours === 0 || fromIsoTime(former.since) + hours * 3_600_000 <= now;
}

/** The former group with exactly these values, which becomes the current one again. */
export function formerWith(stored: StoredGroup, group: object): FormerGroup | undefined {
  const fields = [...replacingFields, ...keeperFields];
  return stored.former?.findLast(
    (former) => !former.unknown && changedFields(fields, former, group).length === 0,
  );
}

/** The list after a request has made `current` the customer's group, which had the group `before`. A group that it replaced is gone. */
export function formerAfter(
  before: StoredGroup,
  current: CreatedGroup,
  { now, hours }: { readonly now: number; readonly hours: number },
): readonly FormerGroup[] | undefined {
  const earlier = before.former ?? [];
  const isSame = before.providedId === current.providedId;
  const { unknown, adopted } = before;
  const service = { providedId: before.providedId, token: before.token, unknown, adopted };
  const values = { ...valuesOf(before), overlapHours: undefined };
  const replaced = { ...values, ...service, since: toIsoTime(now), hours };
  const all = isSame ? earlier : [...earlier, replaced];
  const left = all.filter(
    ({ providedId, token }) => providedId !== current.providedId && token !== current.token,
  );
  return left.length > 0 ? left : undefined;
}

export function withoutFormer(stored: StoredGroup, former: CreatedGroup): StoredGroup {
  const left = (stored.former ?? []).filter((each) => !isSameGroup(each, former));
  return { ...stored, former: left.length > 0 ? left : undefined };
}

/** The list of groups that `overlap` keeps for a customer: which are over, and which has the values that the program wants again. */
import { fromIsoTime, toIsoTime } from "../../service/http/clock";
import { changedFields, keeperFields, replacingFields } from "./changes";
import { isSameGroup, type FormerGroup, type Group, type StoredGroup } from "./storedGroup";

/** For how long former groups stay, and the time in milliseconds since 1970. */
export interface Overlap {
  /** 0 without `overlap`. */
  readonly hours: number;
  readonly now: number;
}

/** Arguments as they are in a state or in a preview, in which they may be unknown. */
export function overlapOf(
  args: { readonly overlap?: unknown; readonly overlapHours?: unknown },
  now: number,
): Overlap {
  const { overlap, overlapHours } = args;
  return { hours: overlap === true && typeof overlapHours === "number" ? overlapHours : 0, now };
}

export function isOver({ since }: FormerGroup, { hours, now }: Overlap): boolean {
  if (hours === 0 || since === undefined) return true;
  return fromIsoTime(since) + hours * 3_600_000 <= now;
}

/** Until when a former group stays: an ISO 8601 time. */
export function endOf({ since = "" }: FormerGroup, hours: number): string {
  return toIsoTime(fromIsoTime(since) + hours * 3_600_000);
}

/** The former group with exactly these values, which becomes the current one again. */
export function formerWith(stored: StoredGroup, group: object): FormerGroup | undefined {
  const fields = [...replacingFields, ...keeperFields];
  return stored.former?.findLast(
    (former) => !former.unknown && changedFields(fields, former, group).length === 0,
  );
}

/** The former group as the group of a state, for requests about it. */
export function asStored(former: FormerGroup, { userGroupId }: Pick<Group, "userGroupId">): StoredGroup {
  const { since: _, adopted = false, ...values } = former;
  return { ...values, userGroupId, adopted };
}

/** The group as it enters the list. */
export function asFormer(stored: StoredGroup, now: number): FormerGroup {
  const { providedId, token, mapping, properties, keepers, dataSourceProvidedId, unknown, adopted } = stored;
  const { name } = stored;
  const values = { name, mapping, properties, keepers, dataSourceProvidedId };
  return {
    providedId,
    token,
    since: toIsoTime(now),
    ...values,
    unknown,
    ...(adopted && { adopted }),
  };
}

/** All groups of a state of one customer, the current one first. */
export function allGroupsOf(stored: StoredGroup): StoredGroup[] {
  return [stored, ...(stored.former ?? []).map((former) => asStored(former, stored))];
}

export function withoutFormer(stored: StoredGroup, former: FormerGroup): StoredGroup {
  const left = (stored.former ?? []).filter((each) => !isSameGroup(each, former));
  return { ...stored, former: left.length > 0 ? left : undefined };
}

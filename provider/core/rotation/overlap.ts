/**
 * `overlap`: a change gives a customer another group with an ID of its own, and keeps the former group until a time that is fixed at the
 * change. The program ends it sooner by `overlapHours: 0` or `overlap: false`: then the next `up` deletes it.
 */
import { createHash } from "node:crypto";
import type { GroupRef } from "../../service/client";
import { fromIsoTime, toIsoTime } from "../../service/http/clock";
import type { Settings } from "../../settings/readSettings";
import { nonEmpty } from "../../values";
import {
  asShown,
  canonicalJson,
  changedFields,
  isSameGroup,
  keeperFields,
  replacingFields,
} from "../state/group";
import { valuesOf, type FormerGroup, type Group, type StoredGroup } from "../state/group";

const defaultHours = 24;
const millisecondsPerHour = 3_600_000;

/** The arguments of `overlap`, of a resource; in a preview some may be unknown. */
export interface OverlapArguments {
  readonly overlap?: unknown;
  readonly overlapHours?: unknown;
}

/**
 * The ID in the service that `overlap` gives a group: `acme~1a2b3c4d`, the customer's ID and a digest of the values whose change makes a
 * new group. So the program says which group it is: a run that was killed, a lost state or a move finds it again. `besides`: the current
 * token, if the ID without it is that of the current group. IDs of existing groups depend on each detail.
 */
export function derivedId(
  group: Group,
  changes: Settings["changes"],
  besides: readonly string[] = [],
): string {
  const { name, mapping, properties, keepers } = {
    name: group.name,
    mapping: nonEmpty(group.mapping) ?? null,
    properties: nonEmpty(group.properties) ?? null,
    keepers: nonEmpty(group.keepers) ?? null,
  } satisfies Record<(typeof replacingFields | typeof keeperFields)[number], unknown>;
  const values = changes === "update" ? [keepers] : [name, mapping, properties, keepers];
  const digest = createHash("sha256")
    .update(canonicalJson([...values, ...besides]))
    .digest("hex");
  return `${group.userGroupId}~${digest.slice(0, 8)}`;
}

/**
 * For how many hours a change keeps the former group. `group`: its values; in a `UserGroups` they may have hours of their own. Without
 * `overlap`, none.
 */
export function hoursOf({ overlap, overlapHours }: OverlapArguments, group: OverlapArguments): number {
  if (overlap !== true) return 0;
  const hours = group.overlapHours ?? overlapHours ?? defaultHours;
  return typeof hours === "number" ? hours : defaultHours;
}

/** Whether the program ends all former groups of a customer: it states 0 hours, or `overlap: false`. */
export function endsFormer({ overlap, overlapHours }: OverlapArguments, group: OverlapArguments): boolean {
  return overlap === false || (group.overlapHours ?? overlapHours) === 0;
}

/** `now`: milliseconds since 1970. */
export function isExpired({ until }: FormerGroup, now: number): boolean {
  return fromIsoTime(until) <= now;
}

/** The former group with exactly these values, which becomes the current one again. */
export function formerWith(stored: StoredGroup, group: object): FormerGroup | undefined {
  const fields = [...replacingFields, ...keeperFields];
  return stored.former?.findLast(
    (former) => !former.notImported && changedFields(fields, former, group).length === 0,
  );
}

/** The list after a request has made `current` the customer's group, which had the group `before`. A group that it replaced is gone. */
export function formerAfter(
  before: StoredGroup,
  current: GroupRef,
  { now, hours }: { readonly now: number; readonly hours: number },
): readonly FormerGroup[] | undefined {
  const { providedId, token, notImported, adopted, former: earlier = [] } = before;
  const values = { ...valuesOf(asShown(before)), overlapHours: undefined };
  const until = toIsoTime(now + hours * millisecondsPerHour);
  const replaced = { ...values, providedId, token, notImported, adopted, until };
  const all = providedId === current.providedId ? earlier : [...earlier, replaced];
  const left = all.filter(
    (former) => former.providedId !== current.providedId && former.token !== current.token,
  );
  return left.length > 0 ? left : undefined;
}

export function withoutFormer(stored: StoredGroup, former: GroupRef): StoredGroup {
  const left = (stored.former ?? []).filter((each) => !isSameGroup(each, former));
  return { ...stored, former: left.length > 0 ? left : undefined };
}

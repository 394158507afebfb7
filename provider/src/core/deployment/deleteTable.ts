/**
 * The table of deletions: what becomes of a group that leaves a state. It is asked before the first DELETE of the state's groups. The first
 * row that matches decides. docs/architecture.md has the same rows, with who needs each of them.
 */
import type { Settings } from "../../settings/readSettings";
import type { Resource } from "../../values";
import { changedFields, isSameGroup, keeperFields, replacingFields, type StoredGroup } from "../state/group";
import { isHeld, type CustomerView, type KnownGroup } from "./facts";

export interface DeleteSituation {
  readonly stored: StoredGroup;
  /** Whether it is a former group (`overlap`), whose successor the state has. */
  readonly isFormer: boolean;
  /** Whether it is a former group whose time isn't over. */
  readonly isInTime: boolean;
  /** removed: "retain": the customer's groups stay in the service. */
  readonly retains: boolean;
  /** Whether an update of the resource drops the group. Otherwise its whole state goes, and a replacement has the same identity. */
  readonly isUpdate: boolean;
  /** Whether the state that goes has `overlap: true`. */
  readonly overlaps: boolean;
  readonly changes: Settings["changes"];
}

/** The rows that forbid a deletion. The messages of each: messages/groupErrors.ts. */
const refusals = [
  "deleted before its replacement",
  "former group in its time",
  "got another group",
  "held with other values",
  "held with another token",
  "not got yet",
  "token of another ID",
] as const;

export interface DeleteRefusal {
  readonly row: (typeof refusals)[number];
  readonly by: Resource;
  /** The end of a former group's time: ISO 8601. */
  readonly until?: string | undefined;
}

export type DeleteDecision =
  | { readonly row: "deleted before" | "held with the same values" }
  | { readonly row: "held by its creator"; readonly holder: KnownGroup }
  | { readonly row: "retained" | "replaced by a new group" | "otherwise" }
  | DeleteRefusal;

export function decideDelete(situation: DeleteSituation, view: CustomerView): DeleteDecision {
  const { stored, isFormer, isInTime, isUpdate, retains } = situation;
  if (view.isDeleted(stored)) return { row: "deleted before" };

  const withToken = view.withToken(stored.token).filter(isHeld);
  const otherId = withToken.find(({ group }) => hasUnderOtherId(group, stored));
  const isByReplacement = otherId?.resource === view.resource;
  if (otherId && (isByReplacement || !retains)) return { row: "token of another ID", by: otherId.resource };

  // An update's own resource is no other holder. A replacement of a resource has the same identity, and is one.
  const ofCustomer = isUpdate || !view.own ? view.others : [view.own, ...view.others];
  const all = [...new Set([...withToken, ...ofCustomer.filter(isHeld)])];
  const others = all.filter(({ resource }) => !isUpdate || resource !== view.resource);
  const current = others.find(({ group }) => isSameGroup(group, stored));
  if (current) return decideHeld(current, situation);

  const asFormer = others.some(({ group }) => group.former?.some((each) => isSameGroup(each, stored)));
  if (asFormer) return { row: "held with the same values" };
  // An update waits for the resource that declares the customer: it may have other values.
  const awaited = isUpdate && !isFormer ? awaitedBy(stored, view) : undefined;
  if (retains && awaited) return { row: "not got yet", by: awaited };
  if (retains && (!isFormer || isInTime)) return { row: "retained" };
  return decideUnheld(situation, others, view);
}

/** No resource has the group as the state knows it. `others`: what they have. */
function decideUnheld(
  { stored, isFormer, isInTime, isUpdate, overlaps, retains }: DeleteSituation,
  others: readonly KnownGroup[],
  view: CustomerView,
): DeleteDecision {
  const ofCustomer = others.filter(({ customer }) => customer === view.customer);
  const sameId = ofCustomer.find(({ group }) => group.providedId === stored.providedId);
  // An engine that was killed in a replacement finishes it with the state of the group that was deleted.
  const isOwn = sameId?.resource === view.resource;
  if (sameId && (sameId.is === "new" || isFormer || isOwn)) return { row: "replaced by a new group" };
  if (sameId) return { row: "held with another token", by: sameId.resource };

  const { declaration } = view;
  if (isInTime && declaration) return { row: "former group in its time", by: declaration.resource };

  const isReplacedFirst = !isUpdate && !isFormer && overlaps && view.own === undefined;
  if (isReplacedFirst && declaration?.resource === view.resource)
    return { row: "deleted before its replacement", by: view.resource };

  // Applications still have the token of this group.
  const got = isFormer ? undefined : ofCustomer.find(({ is }) => is !== "stays");
  if (got) return { row: "got another group", by: got.resource };

  const awaited = awaitedBy(stored, view);
  return awaited && !retains ? { row: "not got yet", by: awaited } : { row: "otherwise" };
}

/** Whether the decision forbids the deletion. */
export function isRefusal(decision: DeleteDecision): decision is DeleteRefusal {
  return refusals.some((row) => row === decision.row);
}

function hasUnderOtherId(group: StoredGroup, { providedId, token }: StoredGroup): boolean {
  return [group, ...(group.former ?? [])].some(
    (each) => each.token === token && each.providedId !== providedId,
  );
}

/** Another resource has the group as its current one. */
function decideHeld(holder: KnownGroup, { stored, changes }: DeleteSituation): DeleteDecision {
  const { is, group: held, resource: by } = holder;
  const compared = changes === "update" ? keeperFields : (["mapping", ...keeperFields] as const);
  const isUnseenSame = changedFields(compared, stored, held).every((field) =>
    isUnknowable(field, stored, held),
  );
  // A resource that got the group in this deployment has sent its values.
  const isOverwritten =
    is === "stays" && changedFields([...replacingFields, ...keeperFields], stored, held).length > 0;
  if (is === "new" || (isUnseenSame && !isOverwritten)) return { row: "held with the same values" };
  if (isUnseenSame || (stored.adopted && !held.adopted)) return { row: "held by its creator", holder };
  return { row: "held with other values", by };
}

/** What an import didn't know contradicts nothing. */
function isUnknowable(field: string, ...groups: readonly StoredGroup[]): boolean {
  return groups.some(({ unknown }) => unknown?.some((each) => each === field));
}

/** The other resource that declares the customer, unless it has a group of the customer or recreates this one. */
function awaitedBy(
  stored: StoredGroup,
  { declaration, others, resource }: CustomerView,
): Resource | undefined {
  if (!declaration || declaration.resource === resource) return undefined;
  const known = others.find((each) => each.resource === declaration.resource);
  const hasGroup = known !== undefined && (isHeld(known) || isSameGroup(known.group, stored));
  return hasGroup ? undefined : declaration.resource;
}

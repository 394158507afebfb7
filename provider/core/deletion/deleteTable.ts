/**
 * The table of deletions: what becomes of a group that leaves a state. If a whole state goes, it is asked for all groups before the first
 * DELETE; in an update, for those of one customer in the customer's turn. The first row that matches decides. docs/architecture.md has the same rows, with who needs each of them.
 */
import type { Settings } from "../../settings/readSettings";
import type { Resource } from "../../values";
import { isSameGroup, replacingFields, keeperFields, type StoredGroup } from "../state/group";
import type { DeleteRefusal } from "../messages/groupErrors";
import { keepsGroup, type CustomerView, type KnownGroup } from "../deployment/facts";
import { contradictions, fieldsOfMove, refusalOf } from "./moves";

export interface DeleteSituation {
  readonly stored: StoredGroup;
  /** Whether it is a former group (`overlap`), whose successor the state has. */
  readonly isFormer: boolean;
  /** Of a former group whose time isn't over: its end, an ISO 8601 time. */
  readonly until: string | undefined;
  /** removed: "retain": the customer's groups stay in the service. */
  readonly retains: boolean;
  /** Whether an update of the resource drops the group. Otherwise its whole state goes, and a replacement has the same identity. */
  readonly isUpdate: boolean;
  /** Whether the state that goes has `overlap: true`. */
  readonly overlaps: boolean;
  readonly changes: Settings["changes"];
}

/** `resend`: a resource with other values that keeps the group, and that a service with updates must have again. */
export type DeleteDecision =
  | { readonly row: "nothing" | "retained" | "delete" }
  | { readonly row: "leaves"; readonly resend?: KnownGroup }
  | DeleteRefusal;

export function decideDelete(situation: DeleteSituation, view: CustomerView): DeleteDecision {
  const { stored, isFormer, isUpdate, retains, until } = situation;
  // An update's own resource is no other holder. A replacement of a resource has the same identity, and is one.
  const ofCustomer = isUpdate || !view.own ? view.others : [view.own, ...view.others];
  const holders = ofCustomer.filter(keepsGroup);
  if (view.isDeleted(stored) || isReplaced(situation, holders, view)) return { row: "nothing" };

  const withToken = view.withToken(stored.token).filter(keepsGroup);
  const otherId = withToken.find(({ group }) =>
    [group, ...(group.former ?? [])].some(
      ({ token, providedId }) => token === stored.token && providedId !== stored.providedId,
    ),
  );
  const isByReplacement = otherId?.resource === view.resource;
  if (otherId && (isByReplacement || !retains)) return { row: "wrong-group", by: otherId.resource };

  const elsewhere = isUpdate && !isFormer ? refuseMove(situation, view) : undefined;
  if (elsewhere) return elsewhere;

  const all = [...new Set([...withToken, ...holders])];
  const others = all.filter(({ resource }) => !isUpdate || resource !== view.resource);
  const current = others.find(({ group }) => isSameGroup(group, stored));
  if (current) return decideHeld(current, situation);
  const asFormer = others.some(({ group }) => group.former?.some((each) => isSameGroup(each, stored)));
  if (asFormer) return { row: "leaves" };

  if (retains && (!isFormer || until !== undefined)) return { row: "retained" };
  return refuseUnconfirmed(situation, others, view) ?? { row: "delete" };
}

/** Another group has its ID now. An engine that was killed in a replacement finishes it with the state of the group that was deleted. */
function isReplaced(
  { stored, isFormer }: DeleteSituation,
  holders: readonly KnownGroup[],
  { resource }: CustomerView,
): boolean {
  return holders.some(
    ({ group, status, resource: holder }) =>
      group.providedId === stored.providedId &&
      group.token !== stored.token &&
      (status === "new" || isFormer || holder === resource),
  );
}

/** The same rule as in check and diff. */
function refuseMove(
  { stored, retains, changes }: DeleteSituation,
  { declaration, others, resource }: CustomerView,
): DeleteRefusal | undefined {
  if (!declaration || declaration.resource === resource) return undefined;
  const { resource: by } = declaration;
  const hasGroup = others.some((each) => each.resource === by);
  switch (refusalOf({ how: retains ? "retain" : "delete", stored, declaration, hasGroup }, changes)) {
    case "removed-elsewhere":
      return { row: "removed-elsewhere", by };
    case "mapping-conflict":
      return { row: "mapping-conflict", by, reason: "declares-other-mapping" };
    case undefined:
      return undefined;
  }
}

/** Another resource has the group as its current one. A resource that has just created it has sent its own values. */
function decideHeld(holder: KnownGroup, { stored, changes }: DeleteSituation): DeleteDecision {
  const { status, group: held, resource: by } = holder;
  if (status === "new") return { row: "leaves" };
  const isEqualIn = (fields: readonly string[]) => contradictions(fields, stored, held).length === 0;
  if (!isEqualIn(fieldsOfMove(changes))) return { row: "mapping-conflict", by, reason: "has-other-mapping" };
  const isOther = status === "stays" && !isEqualIn([...replacingFields, ...keeperFields]);
  return changes === "update" && isOther ? { row: "leaves", resend: holder } : { row: "leaves" };
}

/** No resource has the group as the state knows it. `others`: what they have. */
function refuseUnconfirmed(
  { stored, isFormer, until, isUpdate, overlaps, retains }: DeleteSituation,
  others: readonly KnownGroup[],
  view: CustomerView,
): DeleteRefusal | undefined {
  const row = "move-unconfirmed";
  const ofCustomer = others.filter(({ group }) => group.userGroupId === stored.userGroupId);
  const sameId = ofCustomer.find(({ group }) => group.providedId === stored.providedId);
  if (sameId) return { row, by: sameId.resource, reason: "got-another-token" };

  const declaring = view.declaration?.resource;
  if (until !== undefined && declaring) return { row, by: declaring, reason: "in-its-time", until };
  const isReplacedFirst = !isUpdate && !isFormer && overlaps && view.own === undefined;
  if (isReplacedFirst && declaring === view.resource) return { row, by: declaring, reason: "deleted-first" };
  // Applications still have the token of this group.
  const got = isFormer ? undefined : ofCustomer.find(({ status }) => status !== "stays");
  if (got) return { row, by: got.resource, reason: "got-another-group" };
  const awaited = retains ? undefined : awaitedBy(stored, view);
  return awaited && { row, by: awaited, reason: "not-got-yet" };
}

/** The other resource that declares the customer, unless it has a group of the customer or recreates this one. */
function awaitedBy(
  stored: StoredGroup,
  { declaration, others, resource }: CustomerView,
): Resource | undefined {
  if (!declaration || declaration.resource === resource) return undefined;
  const known = others.find((each) => each.resource === declaration.resource);
  const hasGroup = known !== undefined && (keepsGroup(known) || isSameGroup(known.group, stored));
  return hasGroup ? undefined : declaration.resource;
}

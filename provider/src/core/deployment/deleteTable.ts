/**
 * The table of deletions: what becomes of a group that leaves a state. It is asked before the first DELETE of the state's groups. The first
 * row that matches decides. docs/architecture.md has the same rows, with who needs each of them.
 */
import type { Settings } from "../../settings/readSettings";
import { changedFields, keeperFields, replacingFields } from "../state/changes";
import { isSameGroup, type StoredGroup } from "../state/storedGroup";
import type { DeleteRefusal } from "../messages/groupErrors";
import type { Customer, Resource } from "../state/resource";
import { isHeld, type Facts, type KnownGroup } from "./facts";

export interface DeleteSituation {
  readonly facts: Facts;
  readonly resource: Resource;
  readonly customer: Customer;
  readonly address: string;
  readonly stored: StoredGroup;
  /** Whether it is a former group (`overlap`), whose successor the state has. */
  readonly isFormer: boolean;
  /** Until when a former group stays: an ISO 8601 time; undefined: its time is over. */
  readonly until?: string | undefined;
  /** removed: "retain": the current group stays in the service. */
  readonly retains: boolean;
  /** Whether an update of the resource drops the group. Otherwise its whole state goes, and a replacement has the same URN. */
  readonly isUpdate: boolean;
  readonly changes: Settings["changes"];
}

export type DeleteDecision =
  | { readonly row: "deleted before"; readonly do: "nothing" }
  | { readonly row: "held as former"; readonly do: "leave" }
  | { readonly row: "held with the same values"; readonly do: "leave" }
  | { readonly row: "held by its creator"; readonly do: "restore"; readonly holder: KnownGroup }
  | { readonly row: "replaced by a new group"; readonly do: "nothing" }
  | { readonly row: DeleteRefusal; readonly do: "refuse"; readonly by: Resource; readonly until?: string }
  | { readonly row: "retained"; readonly do: "retain" }
  | { readonly row: "otherwise"; readonly do: "delete" };

export function decideDelete(situation: DeleteSituation): DeleteDecision {
  const { facts, customer, address, stored, isFormer, until } = situation;
  const { providedId, token } = stored;
  if (facts.isDeleted(address, stored)) return { row: "deleted before", do: "nothing" };

  const withToken = facts.withToken(token).filter(isHeld);
  const otherId = withToken.find((holder) => hasUnderOtherId(holder, stored));
  if (otherId && situation.retains) return { row: "retained", do: "retain" };
  if (otherId) return { row: "token of another ID", do: "refuse", by: otherId.resource };

  const others = [...new Set([...withToken, ...facts.holdersOf(customer)])].filter((holder) =>
    isOther(holder, situation),
  );
  const current = others.find(({ group }) => isSameGroup(group, stored));
  if (current) return decideHeld(current, situation);

  const asFormer = others.some(({ group }) => group.former?.some((each) => isSameGroup(each, stored)));
  if (asFormer) return { row: "held as former", do: "leave" };

  const ofCustomer = others.filter((holder) => holder.customer === customer);
  const sameId = ofCustomer.find(({ group }) => group.providedId === providedId);
  // An engine that was killed in a replacement finishes it with the state of the group that was deleted.
  const isOwn = sameId?.resource === situation.resource;
  if (sameId && (sameId.is === "new" || isFormer || isOwn))
    return { row: "replaced by a new group", do: "nothing" };
  if (sameId) return { row: "held with another token", do: "refuse", by: sameId.resource };

  const successor = ofCustomer.find(({ resource }) => resource !== situation.resource);
  if (until !== undefined && successor)
    return { row: "former group in its time", do: "refuse", by: successor.resource, until };

  // Applications still have the token of this group.
  const got = isFormer ? undefined : ofCustomer.find(({ is }) => is !== "stays");
  if (got) return { row: "got another group", do: "refuse", by: got.resource };

  const declaring = facts.declaredBy(customer, situation.resource);
  if (declaring && !hasGroup(declaring.resource, situation))
    return { row: "not got yet", do: "refuse", by: declaring.resource };
  const retains = situation.retains && !isFormer;
  return retains ? { row: "retained", do: "retain" } : { row: "otherwise", do: "delete" };
}

/** An update's own resource is no other holder. A replacement of a resource has the same URN, and is one. */
function isOther({ resource }: KnownGroup, situation: DeleteSituation): boolean {
  return !situation.isUpdate || resource !== situation.resource;
}

function hasUnderOtherId({ group }: KnownGroup, { providedId, token }: StoredGroup): boolean {
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
  if (is === "new" || (isUnseenSame && !isOverwritten))
    return { row: "held with the same values", do: "leave" };
  if (isUnseenSame || (stored.adopted && !held.adopted))
    return { row: "held by its creator", do: "restore", holder };
  return { row: "held with other values", do: "refuse", by };
}

/** What an import didn't know contradicts nothing. */
function isUnknowable(field: string, ...groups: readonly StoredGroup[]): boolean {
  return groups.some(({ unknown }) => unknown?.some((each) => each === field));
}

/** Whether the resource has a group of the customer, or is the one whose state has this group: with an alias, that has another URN. */
function hasGroup(resource: Resource, { facts, customer, stored }: DeleteSituation): boolean {
  return facts
    .of(customer)
    .some((each) => each.resource === resource && (isHeld(each) || isSameGroup(each.group, stored)));
}

/**
 * The table of creations: what the response to a get-or-create means for the resource that sent it. The first row that matches decides.
 * docs/architecture.md has the same rows, with who needs each of them.
 */
import type { GetOrCreateResult } from "../../service/client";
import type { FormerGroup, RequestedGroup, StoredGroup } from "../state/storedGroup";
import type { Customer, Resource } from "../state/resource";
import { isHeld, type Facts, type KnownGroup } from "./facts";

export interface CreateSituation {
  readonly facts: Facts;
  readonly resource: Resource;
  readonly customer: Customer;
  readonly address: string;
  readonly group: RequestedGroup;
  /** The group in the resource's own state, if that stays. */
  readonly own: StoredGroup | undefined;
  readonly adopt: boolean;
  /** Whether the ID is derived from all values of the group. */
  readonly isDerived: boolean;
}

export type CreateDecision =
  | { readonly row: "new"; readonly do: "create" }
  | {
      readonly row: "token of another ID";
      readonly do: "refuse";
      readonly code: "wrong-group";
      readonly by: Resource;
    }
  | {
      readonly row: "held by another connection";
      readonly do: "refuse";
      readonly code: "declared-twice";
      readonly by: Resource;
    }
  | { readonly row: "own former group"; readonly do: "restore"; readonly former: FormerGroup }
  | { readonly row: "not deleted"; readonly do: "retain"; readonly kept: StoredGroup }
  | { readonly row: "own group"; readonly do: "keep"; readonly own: StoredGroup }
  | {
      readonly row: "found, adopt is false";
      readonly do: "refuse";
      readonly code: "adoption-refused";
      readonly by: undefined;
    }
  | { readonly row: "found by its derived ID"; readonly do: "adopt"; readonly isMappingKnown: true }
  | { readonly row: "found"; readonly do: "adopt"; readonly isMappingKnown: false };

export type FoundGroup = Pick<GetOrCreateResult, "isNew" | "isPossiblyApplied"> & { readonly token: string };

export function decideCreate(situation: CreateSituation, found: FoundGroup): CreateDecision {
  const { facts, customer, address, group, own, adopt, isDerived } = situation;
  const { providedId } = group;
  const { isNew, token } = found;
  if (isNew) return { row: "new", do: "create" };

  const known = facts
    .withToken(token)
    .filter((each) => each.address === address && !facts.isDeleted(address, each.group));
  const underOtherId = known.find(
    (each) => each.group.token === token && each.group.providedId !== providedId,
  );
  if (underOtherId)
    return { row: "token of another ID", do: "refuse", code: "wrong-group", by: underOtherId.resource };

  const byOtherConnection = known.find(
    (each) => isHeld(each) && each.group.token === token && each.customer !== customer,
  );
  if (byOtherConnection)
    return {
      row: "held by another connection",
      do: "refuse",
      code: "declared-twice",
      by: byOtherConnection.resource,
    };

  const former = own?.former?.find((each) => each.providedId === providedId && each.token === token);
  if (former) return { row: "own former group", do: "restore", former };

  const kept = own ? undefined : notDeleted(situation, found);
  if (kept) return { row: "not deleted", do: "retain", kept };

  if (own?.token === token && own.providedId === providedId) return { row: "own group", do: "keep", own };
  if (!adopt) return { row: "found, adopt is false", do: "refuse", code: "adoption-refused", by: undefined };
  if (isDerived) return { row: "found by its derived ID", do: "adopt", isMappingKnown: true };
  return { row: "found", do: "adopt", isMappingKnown: false };
}

/** The group of the own state that was to be deleted first. A lost attempt may have created it again, even with the same token. */
function notDeleted(
  { facts, resource, customer, address, group }: CreateSituation,
  { isPossiblyApplied, token }: FoundGroup,
): StoredGroup | undefined {
  const isOwn = (each: KnownGroup) => each.resource === resource && each.is === "recreated";
  const isFound = (each: KnownGroup) =>
    each.group.token === token && each.group.providedId === group.providedId;
  const planned = facts.of(customer).find((each) => isOwn(each) && isFound(each));
  if (!planned) return undefined;
  return facts.isDeleted(address, planned.group) && isPossiblyApplied ? undefined : planned.group;
}

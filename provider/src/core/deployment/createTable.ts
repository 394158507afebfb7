/**
 * The table of creations: what the response to a get-or-create means for the resource that sent it. The first row that matches decides.
 * docs/architecture.md has the same rows, with who needs each of them. The row of a refusal is its code.
 */
import type { GetOrCreateResult } from "../../service/client";
import type { Resource } from "../../values";
import type { FormerGroup, StoredGroup } from "../state/group";
import { isHeld, type CustomerView } from "./facts";

/** A get-or-create by the ID `providedId`. */
export interface CreateSituation {
  readonly providedId: string;
  /** The group in the resource's own state, if that stays. */
  readonly own: StoredGroup | undefined;
  readonly adopt: boolean;
  /** Whether the ID is derived from all values of the group. */
  readonly isDerived: boolean;
  readonly result: GetOrCreateResult;
}

export type CreateDecision =
  | { readonly row: "new" }
  | { readonly row: "wrong-group" | "declared-twice"; readonly by: Resource }
  | { readonly row: "own former group"; readonly former: FormerGroup }
  | { readonly row: "replacement-retained"; readonly kept: StoredGroup }
  | { readonly row: "own group"; readonly own: StoredGroup }
  | { readonly row: "adoption-refused" }
  | { readonly row: "found"; readonly isMappingKnown: boolean };

export function decideCreate(situation: CreateSituation, view: CustomerView): CreateDecision {
  const { providedId, own, adopt, isDerived, result } = situation;
  if (result.isNew) return { row: "new" };

  const { token } = result.group;
  const known = view
    .withToken(token)
    .filter(({ address, group }) => address === view.address && !view.isDeleted(group));
  const current = known.filter(({ group }) => group.token === token);
  const underOtherId = current.find(({ group }) => group.providedId !== providedId);
  if (underOtherId) return { row: "wrong-group", by: underOtherId.resource };

  const byOtherConnection = current.find((each) => isHeld(each) && each.customer !== view.customer);
  if (byOtherConnection) return { row: "declared-twice", by: byOtherConnection.resource };

  const former = own?.former?.find((each) => each.providedId === providedId && each.token === token);
  if (former) return { row: "own former group", former };

  const kept = own ? undefined : notDeleted(situation, view);
  if (kept) return { row: "replacement-retained", kept };

  if (own?.token === token && own.providedId === providedId) return { row: "own group", own };
  if (!adopt) return { row: "adoption-refused" };
  return { row: "found", isMappingKnown: isDerived };
}

/** The group of the own state that was to be deleted first. A lost attempt may have created it again, even with the same token. */
function notDeleted({ providedId, result }: CreateSituation, view: CustomerView): StoredGroup | undefined {
  const { own } = view;
  if (own?.is !== "recreated") return undefined;
  if (own.group.token !== result.group.token || own.group.providedId !== providedId) return undefined;
  return view.isDeleted(own.group) && result.isPossiblyApplied ? undefined : own.group;
}

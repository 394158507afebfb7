/**
 * The decisions on the creation and on the deletion of a group: pure functions of the claims of this deployment and of the
 * service's response. They keep the invariants (docs/reliability.md):
 *
 * 1. It deletes only its own: a deletion has the token of its own state, never one that was merely found.
 * 2. It forgets nothing: a group leaves a state if it was deleted, or if a resource of the program has it. A declaration isn't enough.
 * 3. A state claims only what it knows: a group that was found is adopted, except if a state of this stack passes it on.
 */
import type { GetOrCreateResult } from "../service/client";
import type { Settings } from "../settings/readSettings";
import { isUnknown } from "../values";
import { changedFields, keeperFields, replacingFields } from "./changes";
import {
  heldGroup,
  keptGroup,
  keyOf,
  type Claim,
  type Claims,
  type GroupFields,
  type GroupKey,
  type Resource,
} from "./claims";
import type { Group, RequestedGroup, StoredGroup } from "./drift";

/** If the state of this stack has other values of these fields, the group can't move without a new token. */
const movingFields = [...replacingFields, ...keeperFields] as const;

/** The fields whose former values the service still has after an adoption, without a sign of it. */
const unseenFields = ["mapping", ...keeperFields] as const;

export interface CreationRequest {
  readonly resource: Resource;
  readonly key: GroupKey;
  readonly group: RequestedGroup;
  readonly adopt: boolean;
  readonly changes: Settings["changes"];
}

/** adoption-…: nobody of this stack has the group. The others: `by` is the resource that has it. */
export type CreationRefusal =
  | "adoption-ambiguous"
  | "adoption-refused"
  | "declared-twice"
  | "mapping-conflict"
  | "overlap-id-taken"
  | "replacement-retained"
  | "wrong-group";

export type Creation =
  | { readonly do: "create" }
  | Adoption
  /** A state of this stack has the group with these values, and passes on what it knows. */
  | { readonly do: "move"; readonly former: StoredGroup }
  /** A lookup of this deployment has created the group with other values. */
  | { readonly do: "recreate" }
  | Refusal;

interface Adoption {
  readonly do: "adopt";
  /** The state of the resource had the group, with another token, and was to be replaced. */
  readonly isReplacement?: boolean;
}

interface Refusal {
  readonly do: "refuse";
  readonly code: CreationRefusal;
  readonly by?: Resource;
  /** The group as the service still has it, for the state of the resource that was to be replaced. */
  readonly former?: StoredGroup;
}

/** Refuses a creation before its request, because a service that updates existing groups would store the program's values. */
export function decideBeforeCreation(claims: Claims, request: CreationRequest): Refusal | undefined {
  const taken = ofOtherCustomer(claims, request);
  if (taken) return taken;
  if (request.changes === "update") return undefined;
  const others = claims
    .about(request.key)
    .filter(({ resource, got }) => resource !== request.resource && !got?.isLookup);
  const conflicting = others.find((claim) => {
    const group = heldGroup(claims, claim);
    return group !== undefined && isOtherGroup({ claim, group }, request.group);
  });
  return conflicting && { do: "refuse", code: "mapping-conflict", by: conflicting.resource };
}

/** A change with `overlap` has given the ID to a group of another customer. */
function ofOtherCustomer(claims: Claims, { key, group }: CreationRequest): Refusal | undefined {
  const taking = claims.about(key).find((claim) => {
    const held = claim.key === key && !claim.got?.isLookup ? heldGroup(claims, claim) : undefined;
    return held !== undefined && held.userGroupId !== group.userGroupId;
  });
  return taking && { do: "refuse", code: "overlap-id-taken", by: taking.resource };
}

export function decideCreation(
  claims: Claims,
  request: CreationRequest,
  {
    isNew,
    isPossiblyApplied,
    group: { token },
  }: Pick<GetOrCreateResult, "isNew" | "isPossiblyApplied" | "group">,
): Creation {
  if (isNew) return { do: "create" };
  const { resource, key, group: wanted } = request;
  const taken = ofOtherCustomer(claims, request);
  if (taken) return taken;
  const others = claims.about(key, token).filter((claim) => claim.resource !== resource || claim.key !== key);
  const alias = others.find((claim) => {
    const group = heldGroup(claims, claim);
    return group?.token === token && group.providedId !== wanted.providedId;
  });
  if (alias) return { do: "refuse", code: "wrong-group", by: alias.resource };
  const own = claims.own(resource, key);
  if (own?.state?.isFormer) return { do: "refuse", code: "mapping-conflict", by: resource };
  const former = formerOf(claims, others);
  if (own?.state && former?.claim.got === undefined)
    return decideReplacement(claims, own.state.group, request, { isPossiblyApplied, token });
  if (!former) return decideAdoption(request, isPossiblyApplied);
  return decideMove(claims, former, request, { isPossiblyApplied, token });
}

/** The state of the resource itself has the group: it is replaced. */
function decideReplacement(
  claims: Claims,
  former: StoredGroup,
  request: CreationRequest,
  { isPossiblyApplied, token }: { isPossiblyApplied: boolean; token: string },
): Creation {
  const isSameToken = former.token === token;
  const isRetained = { do: "refuse", code: "replacement-retained", former } as const;
  if (claims.isDeleted(request.key, former.token)) {
    // The service confirmed the deletion. A lost response may have created the group again, even with the same token.
    if (isSameToken && !isPossiblyApplied) return isRetained;
    return decideAdoption(request, isPossiblyApplied);
  }
  const isOther = hasOtherValues(request.group, former);
  if (isSameToken) return isOther ? isRetained : { do: "move", former };
  // An interrupted update has created it; or retainOnDelete skipped its deletion, and the service returns another token each time.
  const adoption = decideAdoption(request, isPossiblyApplied);
  return adoption.do === "adopt" ? { ...adoption, isReplacement: true } : adoption;
}

function decideMove(
  claims: Claims,
  { claim, group: former }: Former,
  request: CreationRequest,
  { isPossiblyApplied, token }: { isPossiblyApplied: boolean; token: string },
): Creation {
  const by = claim.resource;
  const isLookup = claim.got?.isLookup ?? false;
  const isDeclared = claim.declared !== undefined || keptGroup(claims, claim) !== undefined;
  if (isDeclared && claim.key !== request.key) return { do: "refuse", code: "declared-twice", by };
  const isOther = isOtherGroup({ claim, group: former }, request.group);
  if (isLookup && isOther) return { do: "recreate" };
  if (isOther && request.changes === "update") return { do: "adopt" };
  if (isOther) return { do: "refuse", code: "mapping-conflict", by };
  // With another token, it may be a group of somebody else.
  if (former.token !== token) return decideAdoption(request, isPossiblyApplied);
  return { do: "move", former };
}

/** A group that was found, and that no state of this stack has. */
function decideAdoption({ adopt }: CreationRequest, isPossiblyApplied: boolean): Adoption | Refusal {
  if (adopt) return { do: "adopt" };
  return { do: "refuse", code: isPossiblyApplied ? "adoption-ambiguous" : "adoption-refused" };
}

interface Former {
  readonly claim: Claim;
  readonly group: StoredGroup;
}

/** The resource that has the group, the one that created it first. A lookup counts if it has created the group. */
function formerOf(claims: Claims, others: readonly Claim[]): Former | undefined {
  const holding = others.flatMap((claim): Former[] => {
    const group = heldGroup(claims, claim);
    const isMereLookup = claim.got?.isLookup === true && !claim.got.isNew;
    return group === undefined || isMereLookup ? [] : [{ claim, group }];
  });
  return holding.find(({ group }) => !group.adopted) ?? holding[0];
}

/** The values of a former group (`overlap`) aren't known, so they count as other ones. */
function isOtherGroup({ claim, group }: Former, wanted: Group): boolean {
  return isFormerOf(claim) || hasOtherValues(wanted, group);
}

/** Whether a resource has the group only as the former one of a customer, and deletes it in its next change. */
function isFormerOf({ got, state }: Claim): boolean {
  return got === undefined && state?.isFormer === true;
}

/** Whether values that are known differ from those of a state. What an import didn't know differs from nothing. */
function hasOtherValues(values: GroupFields, former: StoredGroup): boolean {
  const changed = changedFields(movingFields, former, values);
  return changed.some(
    (field) => !isUnknown(values[field]) && !former.unknown?.some((each) => each === field),
  );
}

export type DeletionRefusal =
  "mapping-conflict" | "other-account" | "renewed" | "shared" | "stale" | "superseded" | "unconfirmed";

export type Deletion =
  | { readonly do: "delete" }
  /** The group doesn't exist: this deployment has deleted it, or created another one in its place. */
  | { readonly do: "nothing" }
  | Release
  | { readonly do: "refuse"; readonly because: DeletionRefusal; readonly by: Resource };

/** Another resource has the group, so it only leaves the state. */
export interface Release {
  readonly do: "release";
  readonly to: Resource;
  /** Whether its mapping is known. */
  readonly isProven: boolean;
  /** The values of the other resource, if a service that updates existing groups may have those of this state. */
  readonly restored?: StoredGroup;
}

export interface DeletionRequest {
  readonly resource: Resource;
  readonly connection: string | undefined;
  readonly key: GroupKey;
  readonly stored: StoredGroup;
  readonly changes: Settings["changes"];
  /** Whether the API token isn't the one with which the state was written, so that the same ID may be another group. */
  readonly isOtherAccount: boolean;
  /** Whether it is a former group (`overlap`), whose values the state doesn't have. */
  readonly isFormer: boolean;
}

export function decideDeletion(claims: Claims, request: DeletionRequest): Deletion {
  const { resource, key, stored } = request;
  if (claims.isDeleted(key, stored.token)) return { do: "nothing" };
  const own = claims.own(resource, key, stored.token);
  const known = claims.about(key, stored.token);
  const others = known.filter((claim) => claim !== own && !claim.got?.isLookup);
  const sharing = others.find((claim) => isSharing(claims, claim, key, stored));
  if (sharing) return { do: "refuse", because: "shared", by: sharing.resource };
  const holder = [...others, ...(own ? [own] : [])]
    .flatMap((claim) => {
      const group = keptGroup(claims, claim);
      return group ? [{ claim, group }] : [];
    })
    .sort((one, other) => Number(one.group.adopted) - Number(other.group.adopted))[0];
  if (holder && request.isOtherAccount)
    return { do: "refuse", because: "other-account", by: holder.claim.resource };
  if (holder) return decideHeld(holder, request);
  const declaring = [...others, ...claims.ofCustomer(request.connection, stored.userGroupId)].find(
    (claim) => {
      const isOwn = claim.resource === resource || claim.resource === own?.resource;
      return !isOwn && isStillToGet(claims, claim, request);
    },
  );
  if (declaring) return { do: "refuse", because: "unconfirmed", by: declaring.resource };
  // Applications still have the token of this group.
  const renewing = request.isFormer ? undefined : renewingClaim(claims, request);
  if (renewing) return { do: "refuse", because: "renewed", by: renewing.resource };
  return { do: "delete" };
}

/** Whether a resource declares the customer of a group, and hasn't got a group of the customer yet. */
function isStillToGet(claims: Claims, claim: Claim, request: DeletionRequest): boolean {
  const { connection, key, stored, isFormer } = request;
  const isOfCustomer = !isFormer && claim.key === keyOf(connection, stored.userGroupId);
  const isDeclared = claim.declared !== undefined && (claim.key === key || isOfCustomer);
  return isDeclared && !hasGroupOfCustomer(claims, claim.resource, request);
}

/** Whether a resource has a group of the customer, with any ID in the service. */
function hasGroupOfCustomer(
  claims: Claims,
  resource: Resource,
  { connection, stored: { userGroupId } }: DeletionRequest,
): boolean {
  const own = claims.ofCustomer(connection, userGroupId).filter((claim) => claim.resource === resource);
  return own.some((claim) => keptGroup(claims, claim)?.userGroupId === userGroupId);
}

/** A resource has got another group of the customer in this deployment, with another ID in the service (`overlap`). */
function renewingClaim(claims: Claims, { connection, key, stored }: DeletionRequest): Claim | undefined {
  const { userGroupId } = stored;
  return claims.ofCustomer(connection, userGroupId).find(({ key: other, got }) => {
    return other !== key && got !== undefined && !got.isLookup && got.group.userGroupId === userGroupId;
  });
}

/** Whether the service has returned the token for a group with another ID as well. Its deletion could delete that one. */
function isSharing(claims: Claims, claim: Claim, key: GroupKey, { token, providedId }: StoredGroup): boolean {
  if (claim.key !== key && claim.refusedToken === token) return true;
  const group = keptGroup(claims, claim);
  return group?.token === token && group.providedId !== providedId;
}

/** Another resource has the group of a state. */
function decideHeld(
  { claim, group: held }: Former,
  { key, stored, changes, isFormer }: DeletionRequest,
): Deletion {
  const by = claim.resource;
  const plain = { do: "release", to: by, isProven: true } as const;
  if (claim.got?.isNew && held.token !== stored.token && claim.key === key) return { do: "nothing" };
  if (claim.got?.isNew || (isFormerOf(claim) && held.token === stored.token)) return plain;
  // It has other values than the current group, and the other resource claims to have the current ones.
  if (isFormer) return { do: "refuse", because: "superseded", by };
  const hasGot = claim.got !== undefined;
  if (!hasGot && held.token !== stored.token) return { do: "refuse", because: "stale", by };
  // A resource that has got the group in this deployment has sent its values.
  const isPossiblyOverwritten = !hasGot && changedFields(replacingFields, held, stored).length > 0;
  const released = isPossiblyOverwritten ? { ...plain, restored: held } : plain;
  const fields = changes === "update" ? keeperFields : unseenFields;
  if (changedFields(fields, held, stored).length === 0) return released;
  // The resource that created the group is right.
  if (!held.adopted && stored.adopted) return released;
  // Neither state created it. A former program is restored, so it isn't refused for ever.
  if (stored.adopted && !hasGot) return { ...released, isProven: false };
  return { do: "refuse", because: "mapping-conflict", by };
}

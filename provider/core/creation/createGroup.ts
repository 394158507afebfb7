/**
 * The creation of one user group, and the get-or-create behind it, which changeGroup.ts uses as well. The table of creations says what the
 * response means for the resource that sent it.
 */
import { UserGroupError } from "../../errors";
import type { GetOrCreateResult, ReturnedGroup } from "../../service/client";
import type { Resource } from "../../values";
import type { GroupContext } from "../deployment/context";
import type { CustomerView } from "../deployment/facts";
import * as errors from "../messages/groupErrors";
import {
  differences,
  requestFor,
  storedAsAdopted,
  storedAsRead,
  storedAsSent,
  type FormerGroup,
  type Group,
  type StoredGroup,
} from "../state/group";
import { derivedId, formerAfter, hoursOf } from "../rotation/overlap";
import type { SharedArguments } from "../state/shapes";

/** A group with the ID by which it is requested. `own`: the group in the resource's own state, if that stays. */
export interface Requested {
  readonly group: Group;
  readonly providedId: string;
  readonly own: StoredGroup | undefined;
}

/** Creates the group, or adopts the existing one. After a failure, nothing must be stored. */
export async function createGroup(
  group: Group,
  shared: SharedArguments,
  context: GroupContext,
): Promise<StoredGroup> {
  const { client, settings } = context;
  if (settings.changes === "update" && shared.adopt === false)
    throw errors.settingConflict(client.subject, "adopt-with-update");
  const providedId = shared.overlap ? derivedId(group, settings.changes) : group.userGroupId;
  const { own, isDeleted } = context.facts.view(context);
  try {
    // Without overlap, a group with another ID isn't kept beside this one: its state refuses to go before the token is delivered.
    const isKept =
      own?.status === "stays" && (own.group.providedId === providedId || shared.overlap === true);
    const staying = isKept ? own.group : undefined;
    const { stored } = await requestGroup({ group, providedId, own: staying }, shared, context);
    return stored;
  } catch (error) {
    // The resource has deleted the group in this deployment, to create it again.
    const wasDeleted = own?.status === "recreated" && isDeleted(own.group);
    const isPlain = error instanceof UserGroupError && !(error instanceof errors.RetainedGroupError);
    throw isPlain && wasDeleted ? errors.notRecreated(error) : error;
  }
}

/** Sends a get-or-create, and decides by the table what its response means. A group that it replaces becomes a former one. */
export async function requestGroup(requested: Requested, shared: SharedArguments, context: GroupContext) {
  const { client, clock, facts, settings, resource } = context;
  const { group, providedId, own } = requested;
  const { adopt = true } = shared;
  const request = requestFor({ ...group, providedId });
  // A service may still show a group that this deployment has deleted.
  const isOutdated = ({ token }: ReturnedGroup) => facts.isDeleted({ providedId, token });
  const result = await client.getOrCreate(request, isOutdated).catch((error: unknown) => {
    const isUnknown = own?.providedId !== providedId && isUnseen(error, requested);
    throw isUnknown ? errors.creationNotConfirmed(error, providedId) : error;
  });
  // Only a found group needs it, and a digest costs time.
  const isDerived =
    !result.isNew && settings.changes === "replace" && providedId === derivedId(group, settings.changes);
  const decision = decideCreate({ ...requested, adopt, isDerived, result }, facts.view(context));
  const returned = storedAfter(decision, requested, result, context);
  const former = own && formerAfter(own, returned, { now: clock.date(), hours: hoursOf(shared, group) });
  const stored = { ...returned, former };
  const before = [own, ...(own?.former ?? [])];
  if (result.isNew && before.some((each) => each?.providedId === providedId))
    context.warn("created-again", client.subject);
  facts.note({ resource, group: stored, status: result.isNew ? "new" : "got" });
  return { row: decision.row, result, stored };
}

/** Whether a group with an ID that only its values show may exist now. A response with another spelling shows the ID itself. */
function isUnseen(error: unknown, { group, providedId }: Requested): error is UserGroupError {
  if (!(error instanceof UserGroupError) || error.code === "wrong-group") return false;
  return error.isPossiblyApplied && providedId !== group.userGroupId;
}

type CreateDecision =
  | { readonly row: "new" }
  | { readonly row: "wrong-group"; readonly by: Resource }
  | { readonly row: "former"; readonly former: FormerGroup }
  | { readonly row: "replacement-retained"; readonly kept: StoredGroup }
  | { readonly row: "still-shown" }
  | { readonly row: "own"; readonly own: StoredGroup }
  | { readonly row: "adoption-refused" }
  | { readonly row: "found"; readonly isMappingKnown: boolean };

/**
 * The table of creations. The first row that matches decides. docs/architecture.md has the same rows, with who needs each of them. The row
 * of a refusal is its code, but for `still-shown`.
 */
export function decideCreate(
  situation: Pick<Requested, "providedId" | "own"> & {
    readonly adopt: boolean;
    /** Whether the ID is derived from all values of the group. */
    readonly isDerived: boolean;
    readonly result: GetOrCreateResult;
  },
  view: CustomerView,
): CreateDecision {
  const { providedId, own, adopt, isDerived, result } = situation;
  if (result.isNew) return { row: "new" };

  const { token } = result.group;
  const isShown = { providedId, token };
  const underOtherId = view
    .withToken(token)
    .find(({ group }) => group.token === token && group.providedId !== providedId && !view.isDeleted(group));
  if (underOtherId) return { row: "wrong-group", by: underOtherId.resource };

  const former = own?.former?.find((each) => each.providedId === providedId && each.token === token);
  if (former) return { row: "former", former };

  const before = own ? undefined : view.own;
  const isToBeDeleted = before?.status === "recreated" && !view.isDeleted(before.group);
  if (isToBeDeleted && before.group.token === token && before.group.providedId === providedId)
    return { row: "replacement-retained", kept: before.group };

  if (view.isDeleted(isShown)) return { row: "still-shown" };
  if (own?.token === token && own.providedId === providedId) return { row: "own", own };
  if (!adopt) return { row: "adoption-refused" };
  return { row: "found", isMappingKnown: isDerived };
}

function storedAfter(
  decision: CreateDecision,
  requested: Requested,
  result: GetOrCreateResult,
  context: GroupContext,
): StoredGroup {
  const { client, warn } = context;
  const { group, providedId, own } = requested;
  switch (decision.row) {
    case "new": {
      const created = storedAsSent(group, providedId, result.group, false);
      if (created.returned) warn("stored-with-other-values", client.subject);
      return created;
    }
    case "found":
      if (own?.providedId === providedId) warn("token-changed", client.subject);
      else warn(adoptionWarning(decision.isMappingKnown, result), client.subject);
      return adopted(requested, result, context);
    case "former": {
      const { token, adopted } = decision.former;
      return storedAsRead({ ...group, providedId, token, adopted }, result);
    }
    case "own":
      return kept(group, decision.own, result, context);
    case "replacement-retained":
      throw new errors.RetainedGroupError(client.subject, decision.kept);
    default:
      throw errors.creationError(client.subject, decision, providedId, result);
  }
}

function adoptionWarning(isMappingKnown: boolean, { isPossiblyApplied }: GetOrCreateResult) {
  if (isMappingKnown) return "adopted-by-derived-id";
  return isPossiblyApplied ? "adopted-after-lost-response" : "adopted";
}

function adopted(
  { group, providedId }: Requested,
  result: GetOrCreateResult,
  { client, settings, warn }: GroupContext,
): StoredGroup {
  const others = differences(group, result.group);
  // A service that updates was told the program's values. What it returns instead is its form of them.
  if (settings.changes === "update") {
    if (others.length > 0) warn("stored-with-other-values", client.subject);
    return storedAsSent(group, providedId, result.group, true);
  }
  if (others.length > 0) warn("adopted-with-other-values", client.subject, others);
  return storedAsAdopted(group, providedId, result.group);
}

/** The group of the resource's own state. A service that updates groups has the values of the request now. */
function kept(
  group: Group,
  own: StoredGroup,
  result: GetOrCreateResult,
  { settings }: GroupContext,
): StoredGroup {
  const { dataSourceProvidedId, overlapHours } = group;
  if (settings.changes === "replace")
    return storedAsRead({ ...own, dataSourceProvidedId, overlapHours }, result);
  return storedAsSent(group, own.providedId, result.group, own.adopted);
}

/**
 * The creation of one user group, and the get-or-create behind it, which changeGroup.ts uses as well. The table of creations
 * (deployment/createTable.ts) says what the response means.
 */
import { UserGroupError } from "../../errors";
import type { GetOrCreateResult } from "../../service/client";
import { customerIn, type GroupContext } from "../deployment/context";
import { decideCreate, type CreateDecision } from "../deployment/createTable";
import * as errors from "../messages/groupErrors";
import { derivedId } from "../state/derivedId";
import {
  differences,
  requestFor,
  storedAsAdopted,
  storedAsRead,
  storedAsSent,
  type Group,
  type RequestedGroup,
  type StoredGroup,
} from "../state/storedGroup";

/** The arguments of a resource that a creation depends on. */
export interface Creation {
  readonly adopt: boolean;
  readonly overlaps: boolean;
}

/** Creates the group, or adopts the existing one. After a failure, nothing must be stored. */
export async function createGroup(
  group: Group,
  { adopt, overlaps }: Creation,
  context: GroupContext,
): Promise<StoredGroup> {
  const { client, facts, resource, settings } = context;
  if (settings.changes === "update" && !adopt) throw errors.settingConflict(client.subject, "adoption");
  const providedId = overlaps ? derivedId(group, settings.changes) : group.userGroupId;
  const holder = facts.holdersOf(customerIn(context, group)).find((each) => each.resource === resource);
  const own = holder?.is === "stays" ? holder.group : undefined;
  try {
    const { stored } = await obtainGroup({ ...group, providedId }, { own, adopt }, context);
    return stored;
  } catch (error) {
    const isPlain = error instanceof UserGroupError && !(error instanceof errors.RetainedGroupError);
    throw isPlain && wasDeleted(group, context) ? errors.notRecreated(error) : error;
  }
}

/** Whether the resource has deleted the group in this deployment, to create it again. */
function wasDeleted(group: Group, context: GroupContext): boolean {
  const { facts, resource, settings } = context;
  const planned = facts.of(customerIn(context, group)).find((each) => each.resource === resource);
  return planned?.is === "recreated" && facts.isDeleted(settings.baseUrl, planned.group);
}

/** What is known before the request: the group in the resource's own state, and whether a found one may be adopted. */
export interface Expectation {
  readonly own: StoredGroup | undefined;
  readonly adopt: boolean;
}

export interface Obtained {
  readonly decision: CreateDecision;
  readonly result: GetOrCreateResult;
  readonly stored: StoredGroup;
}

/** Sends a get-or-create, and decides by the table what its response means. */
export async function obtainGroup(
  requested: RequestedGroup,
  { own, adopt }: Expectation,
  context: GroupContext,
): Promise<Obtained> {
  const { client, facts, resource, settings } = context;
  const customer = customerIn(context, requested);
  const address = settings.baseUrl;
  const isInState = own?.providedId === requested.providedId;
  const result = await client.getOrCreate(requestFor(requested)).catch((error: unknown) => {
    throw !isInState && isUnseen(error, requested)
      ? errors.creationNotConfirmed(error, requested.providedId)
      : error;
  });
  const isDerived =
    settings.changes === "replace" && requested.providedId === derivedId(requested, settings.changes);
  const situation = { facts, resource, customer, address, group: requested, own, adopt, isDerived };
  const { isNew, isPossiblyApplied, group } = result;
  const decision = decideCreate(situation, { isNew, isPossiblyApplied, token: group.token });
  const stored = storedAfter(decision, { requested, isInState }, result, context);
  const isInList = own?.former?.some((each) => each.providedId === requested.providedId) ?? false;
  if (decision.do === "create" && (isInState || isInList)) context.warn("created-again", client.subject);
  facts.note({ resource, customer, address, group: stored, is: decision.do === "create" ? "new" : "got" });
  return { decision, result, stored };
}

/** Whether a group with an ID that only its values show may exist now. */
function isUnseen(error: unknown, { providedId, userGroupId }: RequestedGroup): error is UserGroupError {
  return error instanceof UserGroupError && error.isPossiblyApplied && providedId !== userGroupId;
}

function storedAfter(
  decision: CreateDecision,
  { requested: group, isInState }: { readonly requested: RequestedGroup; readonly isInState: boolean },
  result: GetOrCreateResult,
  context: GroupContext,
): StoredGroup {
  const { client } = context;
  switch (decision.do) {
    case "create":
      return created(group, result, context);
    case "adopt":
      if (isInState) context.warn("token-changed", client.subject);
      else context.warn(adoptionWarning(decision.isMappingKnown, result), client.subject);
      return adopted(group, result, context);
    case "restore":
      return storedAsRead(
        { ...group, token: decision.former.token, adopted: decision.former.adopted ?? false },
        result,
      );
    case "keep":
      return kept(group, decision.own, result, context);
    case "retain":
      throw new errors.RetainedGroupError(client.subject, decision.kept);
    case "refuse":
      throw errors.creationError(client.subject, decision);
  }
}

function created(
  group: RequestedGroup,
  { group: returned }: GetOrCreateResult,
  { client, warn }: GroupContext,
): StoredGroup {
  const stored = storedAsSent(group, returned, false);
  if (stored.shown) warn("stored-with-other-values", client.subject);
  return stored;
}

function adoptionWarning(isMappingKnown: boolean, { isPossiblyApplied }: GetOrCreateResult) {
  if (isMappingKnown) return "adopted-by-derived-id";
  return isPossiblyApplied ? "adopted-after-lost-response" : "adopted";
}

function adopted(
  group: RequestedGroup,
  result: GetOrCreateResult,
  { client, settings, warn }: GroupContext,
): StoredGroup {
  const others = Object.keys(differences(group, result.group));
  // A service that updates was told the program's values. What it returns instead is its form of them.
  if (settings.changes === "update") {
    if (others.length > 0) warn("stored-with-other-values", client.subject);
    return storedAsSent(group, result.group, true);
  }
  if (others.length > 0) warn("adopted-with-other-values", client.subject, others);
  return storedAsAdopted(group, result.group);
}

/** The group of the resource's own state. A service that updates groups has the values of the request now. */
function kept(
  group: RequestedGroup,
  own: StoredGroup,
  result: GetOrCreateResult,
  { settings }: GroupContext,
): StoredGroup {
  const { dataSourceProvidedId } = group;
  if (settings.changes === "replace") return storedAsRead({ ...own, dataSourceProvidedId }, result);
  return { ...storedAsSent(group, result.group, own.adopted), former: own.former };
}

/**
 * The groups of a customer leave a state: each is deleted in the service, or another resource has it. The table of deletions
 * (deployment/deleteTable.ts) decides, for all of them before the first DELETE. After a refusal, one get-or-create shows whether the group
 * was gone.
 */
import { UserGroupError } from "../../errors";
import {
  customerIn,
  subjectOf,
  withClient,
  type GroupContext,
  type ResourceContext,
} from "../deployment/context";
import { decideDelete, type DeleteDecision, type DeleteSituation } from "../deployment/deleteTable";
import type { KnownGroup } from "../deployment/facts";
import * as errors from "../messages/groupErrors";
import { asStored, endOf, isOver, type Overlap } from "../state/formerGroups";
import { asSent, requestFor, type FormerGroup, type StoredGroup } from "../state/storedGroup";

/** How the groups leave: by an update of their resource, or with its whole state. `retains`: the current group stays in the service. */
export interface Departure {
  readonly isUpdate: boolean;
  readonly retains: boolean;
  /** For how long former groups stay if another resource has the customer. Default: their time is over. */
  readonly overlap?: Overlap;
}

export const ofUpdate: Departure = { isUpdate: true, retains: false };

/** What becomes of the groups of one customer. */
export interface CustomerDecisions {
  readonly current: DeleteDecision;
  readonly former: readonly { readonly group: FormerGroup; readonly decision: DeleteDecision }[];
}

/** Error: that of the first decision which forbids a deletion. */
export function assertDeletable(
  stored: StoredGroup,
  departure: Departure,
  context: ResourceContext,
): CustomerDecisions {
  const current = decideCurrent(stored, departure, context);
  const former = (stored.former ?? []).map((group) => ({
    group,
    decision: decideFormer(group, stored, departure, context),
  }));
  const refusal = [current, ...former.map(({ decision }) => decision)].find((each) => each.do === "refuse");
  if (refusal) throw errors.deletionError(subjectOf("delete", stored.userGroupId, context), refusal);
  return { current, former };
}

/** The decision on the current group, without an error. */
export function decideCurrent(
  stored: StoredGroup,
  departure: Departure,
  context: ResourceContext,
): DeleteDecision {
  return decide(stored, { ...departure, isFormer: false }, context);
}

function decideFormer(
  former: FormerGroup,
  current: StoredGroup,
  departure: Departure,
  context: ResourceContext,
): DeleteDecision {
  const { overlap } = departure;
  const until = overlap && !isOver(former, overlap) ? endOf(former, overlap.hours) : undefined;
  return decide(asStored(former, current), { ...departure, isFormer: true, until }, context);
}

/** Former groups first, so that a failure leaves the current one. `onDropped`: a former group has gone. */
export async function deleteCustomer(
  stored: StoredGroup,
  departure: Departure,
  context: GroupContext,
  onDropped: (former: FormerGroup) => void = () => undefined,
): Promise<void> {
  const { facts, resource } = context;
  const { current, former } = assertDeletable(stored, departure, context);
  for (const { group, decision } of former) {
    await perform(decision, asStored(group, stored), { isFormer: true }, context);
    onDropped(group);
  }
  await perform(current, stored, { isFormer: false }, context);
  if (departure.isUpdate) facts.release(resource, customerIn(context, stored));
}

/** One former group (`overlap`). If somebody else's group has its ID, it leaves with a warning. */
export async function deleteFormer(
  former: FormerGroup,
  current: StoredGroup,
  departure: Departure,
  context: GroupContext,
): Promise<void> {
  const decision = decideFormer(former, current, departure, context);
  await perform(decision, asStored(former, current), { isFormer: true }, context);
}

/** A warning names the group by the ID that the service has for it, which only the state knew. */
function namedByService({ providedId }: StoredGroup, { connection }: GroupContext) {
  return { userGroupId: providedId, connection };
}

function decide(
  stored: StoredGroup,
  { isUpdate, retains, isFormer, until }: Departure & Pick<DeleteSituation, "isFormer" | "until">,
  context: ResourceContext,
): DeleteDecision {
  const { facts, resource, settings } = context;
  const { baseUrl: address, changes } = settings;
  const customer = customerIn(context, stored);
  return decideDelete({
    ...{ facts, resource, customer, address, stored },
    ...{ isFormer, until, isUpdate, retains, changes },
  });
}

async function perform(
  decision: DeleteDecision,
  stored: StoredGroup,
  { isFormer }: { readonly isFormer: boolean },
  context: GroupContext,
): Promise<void> {
  const { client, warn } = context;
  switch (decision.do) {
    case "delete":
      if (!isFormer) return deleteInService(stored, isFormer, context);
      // Errors name a former group by the ID that the service has for it.
      return withClient("delete", stored.providedId, context, (one) =>
        deleteInService(stored, isFormer, one),
      );
    case "restore":
      await restoreValues(decision.holder, context);
      warn("kept", client.subject);
      return;
    case "leave":
      warn("kept", client.subject);
      return;
    case "retain":
      warn("retained", namedByService(stored, context));
      return;
    case "refuse":
      throw errors.deletionError(client.subject, decision);
    case "nothing":
  }
}

/**
 * Sends the values of the resource that keeps the group: a service that updates existing groups may have those of the state that
 * leaves. Error: move-unconfirmed, if that resource has an outdated token.
 */
async function restoreValues(holder: KnownGroup, { client, facts, settings }: GroupContext): Promise<void> {
  const { group: stored, resource: by } = holder;
  const { isNew, group } = await client.getOrCreate(requestFor(asSent(stored))).catch((error: unknown) => {
    throw error instanceof UserGroupError ? errors.notRestored(error, by) : error;
  });
  if (isNew) await client.cleanUp({ ...stored, token: group.token });
  if (isNew || group.token !== stored.token)
    throw errors.deletionError(client.subject, { row: "held with another token", by });
  facts.note({ ...holder, address: settings.baseUrl, is: "got" });
}

/**
 * The group was deleted, or was gone already. A former group whose ID somebody else's group has leaves with a warning. Errors: those of the
 * service; service-refused with the finding after it.
 */
async function deleteInService(stored: StoredGroup, isFormer: boolean, context: GroupContext): Promise<void> {
  const { client, facts, settings, warn } = context;
  const { providedId, token, dataSourceProvidedId } = stored;
  try {
    await client.delete({ userGroupId: providedId, token, dataSourceProvidedId }, requestFor(asSent(stored)));
  } catch (error) {
    if (!(error instanceof UserGroupError) || !mayBeGone(error)) throw error;
    const finding = await findAfterRefusal(stored, isFormer, context);
    if (finding === "other token" && isFormer) {
      warn("former-group-replaced", namedByService(stored, context));
      return;
    }
    if (finding !== "gone") throw errors.refusedDeletion(error, finding, stored, isFormer);
  }
  facts.noteDeleted(settings.baseUrl, stored);
}

/**
 * A refusal may mean that the group is gone. Only get-or-create shows that, if it creates the group, which is then deleted again. Another
 * token proves nothing. With `changes: update`, get-or-create could write the values of this state to the group, so it is only used for
 * former groups, which have values of their own.
 */
async function findAfterRefusal(
  stored: StoredGroup,
  isFormer: boolean,
  { client, settings }: GroupContext,
): Promise<errors.RefusedDeletion | "gone"> {
  if (settings.changes === "update" && !isFormer) return "not known";
  const found = await client.getOrCreate(requestFor(asSent(stored))).catch((error: unknown) => {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  });
  if (!found) return "not known";
  const { token } = found.group;
  if (!found.isNew) return token === stored.token ? "same token" : "other token";
  return (await client.cleanUp({ ...stored, token })) ? "gone" : "not cleaned up";
}

function mayBeGone({ code }: UserGroupError): boolean {
  return code === "service-refused" || code === "not-found";
}

/**
 * The groups of a customer leave a state: each is deleted in the service, or another resource has it. The table of deletions
 * (deleteTable.ts) decides, for all of them before the first DELETE. After a refusal, one get-or-create shows whether the group
 * was gone.
 */
import { UserGroupError, type Subject } from "../../errors";
import { withClient, type GroupContext, type ResourceContext } from "../deployment/context";
import { decideDelete, type DeleteDecision } from "./deleteTable";
import { keepsGroup, type KnownGroup } from "../deployment/facts";
import * as errors from "../messages/groupErrors";
import { isFormerGroup, requestFor, type FormerGroup, type StoredGroup } from "../state/group";
import { isExpired } from "../rotation/overlap";

/**
 * How the groups leave: by an update of their resource, or with its whole state, which has `overlap` or not. `retains`: they stay in the
 * service.
 */
export interface Departure {
  readonly isUpdate: boolean;
  readonly overlaps: boolean;
  readonly retains: boolean;
}

export const departureByUpdate: Departure = { isUpdate: true, overlaps: false, retains: false };

/** What becomes of the groups of one customer, the former ones first. Error: that of the first row that forbids a deletion. */
export function decideDeparture(
  stored: StoredGroup,
  departure: Departure,
  context: ResourceContext,
): readonly { readonly group: StoredGroup; readonly decision: DeleteDecision }[] {
  const decided = [...(stored.former ?? []), stored].map((group) => ({
    group,
    decision: decide(group, departure, context),
  }));
  const refusal = decided.map(({ decision }) => decision).findLast((decision) => "by" in decision);
  if (!refusal) return decided;
  const { userGroupId } = stored;
  const subject: Subject = { operation: "delete", userGroupId, provider: context.provider };
  throw errors.deletionError(subject, refusal, context.resource);
}

function decide(stored: StoredGroup, departure: Departure, context: ResourceContext): DeleteDecision {
  const { facts, settings, clock, resource } = context;
  const { userGroupId } = stored;
  const view = facts.view({ resource, userGroupId });
  const isFormer = isFormerGroup(stored);
  const isEnded = !isFormer || isExpired(stored, clock.date()) || view.declaration?.endsFormer === true;
  const until = isEnded ? undefined : stored.until;
  return decideDelete({ ...departure, stored, isFormer, until, changes: settings.changes }, view);
}

/** Former groups first, so that a failure leaves the current one. `onDropped`: a former group has gone. */
export async function deleteGroup(
  stored: StoredGroup,
  departure: Departure,
  context: GroupContext,
  onDropped?: (former: StoredGroup) => void,
): Promise<void> {
  const { facts, resource, userGroupId } = context;
  for (const { group, decision } of decideDeparture(stored, departure, context)) {
    await perform(decision, group, context);
    if (group !== stored) onDropped?.(group);
  }
  if (departure.isUpdate) facts.release(resource, userGroupId);
}

/** One former group (`overlap`). If somebody else's group has its ID, it leaves with a warning. */
export async function deleteFormer(
  former: FormerGroup,
  departure: Departure,
  context: GroupContext,
): Promise<void> {
  await perform(decide(former, departure, context), former, context);
}

/** A warning names the group by the ID that the service has for it, which only the state knew. */
function namedByService({ providedId }: StoredGroup) {
  return { userGroupId: providedId };
}

async function perform(decision: DeleteDecision, stored: StoredGroup, context: GroupContext): Promise<void> {
  const { client, warn } = context;
  switch (decision.row) {
    case "delete":
      // Errors name a former group by the ID that the service has for it.
      if (isFormerGroup(stored))
        return withClient("delete", stored.providedId, context, (one) => deleteInService(stored, one));
      return deleteInService(stored, context);
    case "leaves":
      if (decision.resend) await sendAgain(decision.resend, context);
      warn("kept", client.subject);
      return;
    case "retained":
      if (isFormerGroup(stored)) warn("retained-former", namedByService(stored), [stored.until]);
      else warn("retained", namedByService(stored));
      return;
    case "nothing":
      return;
    default:
      throw errors.deletionError(client.subject, decision, context.resource);
  }
}

/**
 * Sends the values of the resource that keeps the group: a service that updates existing groups may have those of the state that
 * leaves. Error: move-unconfirmed, if that resource has an outdated token.
 */
async function sendAgain(holder: KnownGroup, { client, facts, resource }: GroupContext): Promise<void> {
  const { group: stored, resource: by } = holder;
  const { isNew, group } = await client.getOrCreate(requestFor(stored));
  if (isNew) await client.cleanUp({ ...stored, token: group.token });
  if (isNew || group.token !== stored.token)
    throw errors.deletionError(
      client.subject,
      { row: "move-unconfirmed", by, reason: "got-another-token" },
      resource,
    );
  facts.note({ ...holder, status: "got" });
}

/**
 * The group was deleted, or was gone already. A former group whose ID somebody else's group has leaves with a warning. Errors: those of the
 * service; service-refused with the finding after it.
 */
async function deleteInService(stored: StoredGroup, context: GroupContext): Promise<void> {
  const { client, facts, warn } = context;
  const { providedId, token, dataSourceProvidedId } = stored;
  const isFormer = isFormerGroup(stored);
  try {
    await client.delete({ userGroupId: providedId, token, dataSourceProvidedId }, requestFor(stored));
  } catch (error) {
    if (!(error instanceof UserGroupError) || !mayBeGone(error)) throw error;
    const finding = await findAfterRefusal(stored, isFormer, context);
    if (finding === "other token" && isFormer) {
      warn("former-group-replaced", namedByService(stored));
      return;
    }
    if (finding !== "gone") throw errors.refusedDeletion(error, finding, stored, isFormer);
  }
  facts.noteDeleted(stored);
}

/**
 * A refusal may mean that the group is gone. Only get-or-create shows that, if it creates the group, which is then deleted again. Another
 * token proves it only if another group of the program has it, and after a lost attempt the group may be our own. With `changes: update`,
 * get-or-create could write the values of this state to the group, so it is only used for former groups, which have values of their own.
 */
async function findAfterRefusal(
  stored: StoredGroup,
  isFormer: boolean,
  context: GroupContext,
): Promise<errors.RefusedDeletion | "gone"> {
  const { client, facts, settings } = context;
  if (settings.changes === "update" && !isFormer) return "not known";
  const found = await client.getOrCreate(requestFor(stored)).catch((error: unknown) => {
    if (error instanceof UserGroupError) return undefined;
    throw error;
  });
  if (!found) return "not known";
  const { token } = found.group;
  if (found.isNew) return (await client.cleanUp({ ...stored, token })) ? "gone" : "not cleaned up";
  if (token === stored.token) return "same token";
  // The service takes two spellings of an ID for one group, which another entry of a state has.
  if (facts.view(context).withToken(token).some(keepsGroup)) return "gone";
  return found.isPossiblyApplied ? "possibly created" : "other token";
}

function mayBeGone({ code }: UserGroupError): boolean {
  return code === "service-refused" || code === "not-found";
}

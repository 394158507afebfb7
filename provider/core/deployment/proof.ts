/**
 * The proof of the account. With the API token of another account, a request would create groups there, or record the tokens of
 * other customers' groups. So before the first request about a state that was written with other credentials, one of its groups is read: it
 * must be in the service as the state says. Before the first creation of a deployment, the same holds for the states that it has seen.
 */
import { createHash } from "node:crypto";
import { type GroupName, UserGroupError } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { getOrAdd } from "../../values";
import { notProven, nothingFound } from "../messages/groupErrors";
import { isSameGroup, requestFor, type StoredGroup } from "../state/group";
import type { State } from "../state/shapes";
import { noAttempts } from "./credentials";
import { inTurn, untilDeclared, withClient, type GroupContext, type ResourceContext } from "./context";
import { keepsGroup } from "./facts";

/** So many groups of states with the same credentials are read at most. */
const mostReads = 3;

/**
 * A short digest of the API token and the headers. A state has that of the account in which its groups were created or read, so that another
 * account is recognized. It is too short to find the token by it, and a secret output all the same.
 */
export function digestOf({ apiToken, headers }: Pick<Settings, "apiToken" | "headers">): string {
  // A header may name the account, too.
  const others = headers === undefined ? "" : ` ${JSON.stringify(headers)}`;
  return createHash("sha256").update(`pulumi-user-groups ${apiToken}${others}`).digest("hex").slice(0, 8);
}

/** Before the requests about a state. Error: nothing-found. */
export async function proveState(
  state: Pick<State, "credentialsDigest" | "groups">,
  context: ResourceContext,
): Promise<void> {
  const { credentials, settings } = context;
  const { credentialsDigest: digest, groups } = state;
  if (digest === digestOf(settings) || groups.size === 0) return;
  credentials.see(state);
  await credentials.queue(() => prove(digest, context));
}

/** Before a creation that no state is of: the states that this deployment has seen are proven first. Error: nothing-found. */
export async function proveCreation(groups: readonly GroupName[], context: ResourceContext): Promise<void> {
  const { credentials, settings } = context;
  const today = digestOf(settings);
  const { seen } = credentials;
  if (!seen.has(today)) await (credentials.wait ??= untilDeclared(context));
  // A state that shows today's credentials says that they aren't new to the stack.
  if (!seen.has(today))
    await credentials.queue(async () => {
      for (const digest of seen.keys()) await prove(digest, context);
    });
  credentials.requested.push(...groups);
}

async function prove(digest: string | undefined, context: ResourceContext): Promise<void> {
  const { credentials, clock, settings } = context;
  const { proven, seen, requested } = credentials;
  const known = [...(seen.get(digest)?.values() ?? [])];
  if (known.some((group) => isFoundAsStored(group, context))) proven.add(digest);
  const attempts = getOrAdd(credentials.attempts, digest, noAttempts);
  const unchecked = seen.has(digestOf(settings)) ? [] : requested;
  // At random, so that a second run may find another one, if these were deleted by hand.
  const drawn = candidatesOf(known, context).map((group) => ({ group, rank: clock.random() }));
  drawn.sort((one, other) => one.rank - other.rank);
  for (const { group } of drawn) {
    if (proven.has(digest) || attempts.groups.length >= mostReads) break;
    if (attempts.groups.includes(group)) continue;
    attempts.groups.push(group);
    const finding = await findStored(group, context).catch((error: unknown) => {
      throw error instanceof UserGroupError ? notProven(error, { ...attempts, unchecked }) : error;
    });
    if (finding === "as stored") proven.add(digest);
    if (finding === "not known") attempts.possiblyCreated.push(namedByService(group));
    // On a service that updates groups, the read has written to a group that may be another account's.
    if (finding !== "other token" || settings.changes === "replace") continue;
    attempts.possiblyWritten.push(namedByService(group));
    break;
  }
  // Where this command got another group of each customer, there is nothing to read, and so no proof.
  const named = attempts.groups.length > 0 ? attempts.groups : known;
  if (named.length === 0 || proven.has(digest)) return;
  throw nothingFound(context.subject, named.map(namedByService), { ...attempts, unchecked });
}

/** The ID in the service, where the read may have left a group. */
function namedByService({ providedId }: StoredGroup): GroupName {
  return { userGroupId: providedId };
}

/** Another resource got the group in this deployment with the state's token, or has deleted it by that. */
function isFoundAsStored(stored: StoredGroup, { facts }: ResourceContext): boolean {
  if (facts.isDeleted(stored)) return true;
  const known = facts.of(stored.userGroupId);
  return known.some(
    ({ status, group }) => (status === "got" || status === "new") && isSameGroup(group, stored),
  );
}

/** Without the groups that this deployment has replaced: a read would send their old values. */
function candidatesOf(known: readonly StoredGroup[], { facts }: ResourceContext): readonly StoredGroup[] {
  return known.filter(({ userGroupId, providedId }) => {
    const now = facts.of(userGroupId).filter(keepsGroup);
    return now.every(({ status, group }) => status === "stays" || group.providedId !== providedId);
  });
}

/**
 * What the read creates is deleted again. "not known": that failed, or the group was found after a lost response, so that the read may have
 * created it.
 */
async function findStored(
  stored: StoredGroup,
  context: ResourceContext,
): Promise<"as stored" | "gone" | "other token" | "not known"> {
  const { userGroupId, providedId, token } = stored;
  const read = async ({ client }: GroupContext) => {
    const { isNew, isPossiblyApplied, group } = await client.getOrCreate(requestFor(stored));
    // Also if the service says new: a cache may repeat the response to the creation, and some services always say new.
    if (group.token === token) return "as stored";
    if (isNew) return (await client.cleanUp({ ...stored, token: group.token })) ? "gone" : "not known";
    return isPossiblyApplied ? "not known" : "other token";
  };
  // Errors name the group by the ID that the service has for it.
  return inTurn("read", userGroupId, context, (one) => withClient("read", providedId, one, read));
}

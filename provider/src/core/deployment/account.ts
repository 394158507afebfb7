/**
 * The proof of the account. With the API token of another account, a request would create groups there, or record the tokens of
 * other customers' groups. So before the first request of an operation, each state in sight that was written with another API token is
 * proven: one of its groups is in the service as the state says. A state that was written with today's API token needs no proof.
 */
import { createHash } from "node:crypto";
import type { GroupName } from "../../errors";
import type { Settings } from "../../settings/readSettings";
import { nothingFound } from "../messages/groupErrors";
import { createdUnchecked } from "../messages/warnings";
import { isSameGroup, requestFor, type StoredGroup } from "../state/group";
import { onGroup, withClient, type Deployment, type GroupContext, type ResourceContext } from "./context";
import { customerOf, isHeld, type KnownGroup, type Proof } from "./facts";

/** So many groups of a state are read at most. */
const mostReads = 3;

/**
 * A short digest of the API token and the headers. A state has that of the account in which its groups were created or read, so that another
 * account is recognized. It is too short to find the token by it, and a secret output all the same.
 */
export function accountOf({ apiToken, headers }: Pick<Settings, "apiToken" | "headers">): string {
  // A header may name the account, too.
  const others = headers === undefined ? "" : ` ${JSON.stringify(headers)}`;
  return createHash("sha256").update(`pulumi-user-groups ${apiToken}${others}`).digest("hex").slice(0, 8);
}

/**
 * Before requests about `groups` of a state: proves its account; without groups, those of the states in sight. One proof at a time.
 * `account`: the state's. `subject`: for messages. Error: nothing-found.
 */
export async function proveAccount(
  groups: readonly StoredGroup[],
  account: string | undefined,
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const { accounts, settings } = context;
  const of = { address: settings.baseUrl, today: accountOf(settings) };
  await accounts.queue(async () => {
    for (const proof of accounts.toProve(groups.length > 0 ? account : null, of))
      await prove(proof, groups, subject, context);
  });
}

async function prove(
  proof: Proof,
  stateGroups: readonly StoredGroup[],
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const { accounts, settings } = context;
  const known = [...knownGroups(stateGroups, context), ...accounts.inSight(proof)];
  if (known.some((each) => isFoundAsStored(each, context))) accounts.note(proof, true);
  const groups = candidatesOf(known, context);
  const possiblyCreated: GroupName[] = [];
  const possiblyWritten: GroupName[] = [];
  for (const stored of groups) {
    if (accounts.isProven(proof) || accounts.misses(proof) >= mostReads) break;
    const finding = await findStored(stored, context);
    accounts.note(proof, finding === "as stored");
    if (finding === "not known") possiblyCreated.push(namedByService(stored));
    // On a service that updates groups, the read has written to a group that may be another account's.
    if (finding !== "other token" || settings.changes === "replace") continue;
    possiblyWritten.push(namedByService(stored));
    break;
  }
  // Where this command got another group of each customer, there is nothing to read, and so no proof.
  const named = groups.length > 0 ? groups : known.map(({ group }) => group);
  if (named.length === 0 || accounts.isProven(proof)) return;
  const left = {
    possiblyCreated,
    possiblyWritten,
    unchecked: uncheckedAt(proof, context).map(({ group }) => group),
  };
  throw nothingFound(subject, named.map(namedByService), left);
}

/** Warns of the groups that this command has requested before a state showed another account, of each customer once. */
export function warnOfUnchecked(
  proof: Proof,
  deployment: Pick<Deployment, "facts" | "accounts" | "logger">,
): void {
  const { logger, accounts } = deployment;
  const unchecked = uncheckedAt(proof, deployment).filter(({ customer }) => !accounts.warned.has(customer));
  if (unchecked.length === 0) return;
  for (const { customer } of unchecked) accounts.warned.add(customer);
  logger.warn(createdUnchecked(unchecked.map(({ group }) => group)));
}

/** The groups that this deployment got before a state with another API token was in sight, and before any proof. */
function uncheckedAt(
  proof: Proof,
  { facts, accounts }: Pick<Deployment, "facts" | "accounts">,
): KnownGroup[] {
  if (proof.account === proof.today || accounts.isProven(proof) || accounts.isTodayInSight(proof)) return [];
  return [...facts.received].filter((known) => known.address === proof.address);
}

/** The ID in the service, where the read may have left a group. */
function namedByService({ providedId }: StoredGroup): GroupName {
  return { userGroupId: providedId };
}

function knownGroups(
  groups: readonly StoredGroup[],
  { settings, connection, resource }: ResourceContext,
): readonly KnownGroup[] {
  return groups.map((group) => {
    const customer = customerOf(connection, group.userGroupId);
    return { resource, customer, address: settings.baseUrl, group, is: "left" };
  });
}

/** Another resource got the group in this deployment with the state's token, or has deleted it by that. */
function isFoundAsStored({ group, customer }: KnownGroup, { facts, settings }: ResourceContext): boolean {
  if (facts.isDeleted(settings.baseUrl, group)) return true;
  return facts.of(customer).some((each) => each.is === "got" && isSameGroup(each.group, group));
}

/** Without the groups that this deployment has replaced: a read would send their old values. */
function candidatesOf(known: readonly KnownGroup[], { facts }: ResourceContext): readonly StoredGroup[] {
  const isUnchanged = ({ customer }: KnownGroup) =>
    facts.of(customer).every((each) => !isHeld(each) || each.is === "stays");
  const unchanged = known.filter(isUnchanged).map(({ group }) => group);
  return [...new Map(unchanged.map((group) => [group.token, group])).values()];
}

/** What the read creates is deleted again. A group that it found after a lost response may be one that it created: "not known". */
async function findStored(
  stored: StoredGroup,
  context: ResourceContext,
): Promise<"as stored" | "gone" | "other token" | "not known"> {
  const { userGroupId, providedId, token } = stored;
  const read = async ({ client }: GroupContext) => {
    const { isNew, isPossiblyApplied, group } = await client.getOrCreate(requestFor(stored));
    const isLeft = isNew && !(await client.cleanUp({ ...stored, token: group.token }));
    if (isLeft) context.warn("created-again", client.subject);
    if (isNew) return "gone";
    if (group.token === token) return "as stored";
    return isPossiblyApplied ? "not known" : "other token";
  };
  // Errors name the group by the ID that the service has for it.
  return onGroup("read", userGroupId, context, (one) => withClient("read", providedId, one, read));
}

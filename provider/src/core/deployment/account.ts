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
import { asSent, isSameGroup, requestFor, type StoredGroup } from "../state/storedGroup";
import type { Customer } from "../state/resource";
import {
  customerIn,
  onGroup,
  withClient,
  type Deployment,
  type GroupContext,
  type ResourceContext,
} from "./context";
import type { Proof } from "./accounts";
import type { KnownGroup } from "./facts";

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

/** The state of the resource that is to send requests, with the groups that these are about. */
export interface ProvenState {
  readonly groups: readonly StoredGroup[];
  readonly account?: string | undefined;
}

/**
 * Proves the account of a state; without groups in it, of the states in sight. One proof at a time. Error: nothing-found. `subject`: for
 * messages.
 */
export async function proveAccount(
  state: ProvenState,
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const { accounts, settings } = context;
  const { baseUrl: address } = settings;
  const today = accountOf(settings);
  await accounts.queue(async () => {
    for (const account of accountsToProve(state, accounts.inSight(address), today)) {
      const proof = { address, account, today };
      const known = knownGroups(account, state, context);
      if (known.some((each) => isFoundAsStored(each, context))) accounts.note(proof, true);
      if (accounts.isProven(proof)) continue;
      const groups = candidatesOf(known, context);
      for (const stored of groups) {
        if (accounts.isProven(proof) || accounts.misses(proof) >= mostReads) break;
        accounts.note(proof, await isAsStored(stored, context));
      }
      const named = groups.length > 0 ? groups : state.groups;
      if (named.length > 0 && !accounts.isProven(proof))
        throw nothingFound(subject, named.map(namedByService), uncheckedAt(proof, context));
    }
  });
}

/** Warns of the groups that this command has created before a state showed another account. */
export function warnOfUnchecked(
  proof: Proof,
  deployment: Pick<Deployment, "facts" | "accounts" | "logger" | "logged">,
): void {
  const { logger, logged } = deployment;
  const unchecked = uncheckedAt(proof, deployment);
  if (unchecked.length === 0) return;
  const warning = createdUnchecked(unchecked);
  if (!logged.has(warning)) logger.warn(warning);
  logged.add(warning);
}

/** The groups that this deployment got before a state with another API token was in sight, and before any proof. */
function uncheckedAt(proof: Proof, { facts, accounts }: Pick<Deployment, "facts" | "accounts">): GroupName[] {
  const { address, today } = proof;
  if (accounts.isProven(proof) || accounts.inSight(address).has(today)) return [];
  return [...facts.received].filter((known) => known.address === address).map(({ group }) => group);
}

/** The ID in the service, where the read may have left a group. */
function namedByService({ providedId }: StoredGroup): GroupName {
  return { userGroupId: providedId };
}

/** A state in sight that was written with today's API token shows that this one isn't new to the stack. */
function accountsToProve(
  { groups, account }: ProvenState,
  inSight: ReadonlyMap<string | undefined, readonly KnownGroup[]>,
  today: string,
): readonly (string | undefined)[] {
  if (groups.length > 0) return [account];
  return inSight.has(today) ? [] : [...inSight.keys()];
}

interface StateGroup {
  readonly group: StoredGroup;
  readonly customer: Customer;
}

/** The groups of the state, then those in sight. */
function knownGroups(
  account: string | undefined,
  state: ProvenState,
  context: ResourceContext,
): readonly StateGroup[] {
  const inSight = context.accounts.inSight(context.settings.baseUrl).get(account) ?? [];
  return [...state.groups.map((group) => ({ group, customer: customerIn(context, group) })), ...inSight];
}

/** Another resource got the group in this deployment with the state's token, or has deleted it by that. */
function isFoundAsStored({ group, customer }: StateGroup, { facts, settings }: ResourceContext): boolean {
  if (facts.isDeleted(settings.baseUrl, group)) return true;
  return facts.holdersOf(customer).some((holder) => holder.is === "got" && isSameGroup(holder.group, group));
}

/** Without the groups that this deployment has replaced: a read would send their old values. */
function candidatesOf(known: readonly StateGroup[], { facts }: ResourceContext): readonly StoredGroup[] {
  const isUnchanged = ({ customer }: StateGroup) =>
    facts.holdersOf(customer).every(({ is }) => is === "stays");
  const unchanged = known.filter(isUnchanged).map(({ group }) => group);
  return [...new Map(unchanged.map((group) => [group.token, group])).values()];
}

/** What the read creates is deleted again. */
async function isAsStored(stored: StoredGroup, context: ResourceContext): Promise<boolean> {
  const { userGroupId, providedId, token } = stored;
  const read = async ({ client }: GroupContext) => {
    const { isNew, group } = await client.getOrCreate(requestFor(asSent(stored)));
    const isLeft = isNew && !(await client.cleanUp({ ...stored, token: group.token }));
    if (isLeft) context.warn("created-again", client.subject);
    return !isNew && group.token === token;
  };
  // Errors name the group by the ID that the service has for it.
  return onGroup("read", userGroupId, context, (one) => withClient("read", providedId, one, read));
}

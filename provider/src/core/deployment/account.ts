/**
 * The proof of the account. With the API token of another account, a request would create groups there, or record the tokens of
 * other customers' groups. So before the first request of an operation, each state in sight that was written with another API token is
 * proven: one of its groups is in the service as the state says. A state that was written with today's API token needs no proof.
 */
import { createHash } from "node:crypto";
import type { Settings } from "../../settings/readSettings";
import { nothingFound } from "../messages/groupErrors";
import { asSent, requestFor, type StoredGroup } from "../state/storedGroup";
import { onGroup, type GroupContext, type ResourceContext } from "./context";
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

/** The state of the resource that is to send requests. */
export interface ProvenState {
  readonly groups: ReadonlyMap<string, StoredGroup>;
  readonly account?: string | undefined;
}

/** Proves the account for a state and for those in sight; one proof at a time. Error: nothing-found. `subject`: for messages. */
export async function proveAccount(
  state: ProvenState,
  subject: string,
  context: ResourceContext,
): Promise<void> {
  const { facts, settings, proofs } = context;
  const { baseUrl: address } = settings;
  const today = accountOf(settings);
  await proofs(async () => {
    for (const [account, groups] of groupsByAccount(state, facts.inSight(address))) {
      const proof = { address, account, today };
      for (const stored of groups) {
        const { isProven, misses } = facts.proofOf(proof);
        if (isProven || misses >= mostReads) break;
        facts.noteProof(
          proof,
          await onGroup("read", stored.userGroupId, context, (one) => isAsStored(stored, one)),
        );
      }
      if (groups.length > 0 && !facts.proofOf(proof).isProven)
        throw nothingFound(subject, groups, facts.uncheckedAt(proof));
    }
  });
}

/** The groups of the state first, because its resource is the one that is to send requests. */
function groupsByAccount(
  { account, groups }: ProvenState,
  inSight: ReadonlyMap<string | undefined, readonly KnownGroup[]>,
): ReadonlyMap<string | undefined, readonly StoredGroup[]> {
  const others = [...inSight].map(([key, known]) => [key, known.map(({ group }) => group)] as const);
  const own = [...groups.values()].slice(0, mostReads);
  const isOther = ({ token }: StoredGroup) => !own.some((each) => each.token === token);
  const alike = inSight.get(account)?.map(({ group }) => group) ?? [];
  return new Map([...others, [account, [...own, ...alike.filter(isOther)]]]);
}

/** What the read creates is deleted again. */
async function isAsStored(stored: StoredGroup, { client }: GroupContext): Promise<boolean> {
  const { isNew, group } = await client.getOrCreate(requestFor(asSent(stored)));
  if (isNew) await client.cleanUp({ ...stored, token: group.token });
  return !isNew && group.token === stored.token;
}

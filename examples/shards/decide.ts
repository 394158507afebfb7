/** Decides from the states of all stacks what a deployment may do, or refuses it. */
import { isDeepStrictEqual } from "node:util";
import { groupOf, shardOf, type Lists } from "./sharding";

export interface ShardState {
  /** By customer, the group as it was declared. */
  readonly groups: Readonly<Record<string, unknown>>;
  /** The last update was interrupted, so that the service may have changes that the state doesn't have. */
  readonly isInexact: boolean;
}

export interface Decision {
  readonly summary: string;
  /** Shards that can be brought up now. */
  readonly first: readonly string[];
  /** Shards that wait, because customers whom they give away are in no other state yet. */
  readonly then: readonly string[];
  /** Shards whose customers have moved: they must forget these groups, not delete them. */
  readonly givers: ReadonlySet<string>;
  /** Shards that must not be touched, because the state of the shard beside them isn't exact: their own, or that of a giver. */
  readonly inexact: ReadonlyMap<string, string>;
}

/** `states`: by the name of the stack. Error: one deployment can't do all that the lists ask for without a loss. */
export function decide(lists: Lists, states: ReadonlyMap<string, ShardState>): Decision {
  const held = heldGroups(lists, states);
  const lost = held.filter(({ isLost }) => isLost).map(({ id }) => id);
  const moves = held.flatMap(({ id, from, to }) =>
    to === undefined || to === from ? [] : [{ id, from, to }],
  );
  const coming = moves.filter(({ id, to }) => !Object.hasOwn(states.get(to)?.groups ?? {}, id));
  const givers = new Set(moves.map(({ from }) => from));
  const known = [...lists.shards, ...lists.retired];
  const inUse = [...states].flatMap(([name, { groups, isInexact }]) =>
    isInexact || Object.keys(groups).length > 0 ? [name] : [],
  );
  const inexact = new Map(inUse.filter((name) => states.get(name)?.isInexact).map((name) => [name, name]));
  for (const { from, to } of coming) if (inexact.has(from)) inexact.set(to, from);
  refuse(
    inUse.filter((name) => !known.includes(name)),
    "Stacks that hold customers are not in shards.json. If they are yours, list them as retired",
  );
  refuse(
    moves.length > 0 ? lost : [],
    "Customers leave or change while customers move. Deploy these changes with the former shards first",
  );
  refuse(
    coming.map(({ to }) => to).filter((to) => givers.has(to)),
    "Shards would get customers and give others away. Add shards in one deployment, and retire shards in another",
  );
  refuse(
    lost.length > lists.deletionLimit ? lost : [],
    `More groups would be deleted, or deleted and created again, than the deletionLimit of ${lists.deletionLimit}`,
  );
  const waiting = new Set(coming.map(({ from }) => from));
  const due = known.filter((name) => lists.shards.includes(name) || inUse.includes(name));
  return {
    summary: `${lost.length} groups to delete, or to delete and create again, and ${coming.length} to move`,
    first: due.filter((name) => !waiting.has(name)),
    then: due.filter((name) => waiting.has(name)),
    givers,
    inexact,
  };
}

/** Each group in a state: the shard to which it belongs by the lists, and whether it would be deleted or recreated now. */
function heldGroups({ customers, shards }: Lists, states: ReadonlyMap<string, ShardState>) {
  const wanted = new Map(customers.map((each) => [each.id, each]));
  return [...states].flatMap(([from, { groups, isInexact }]) =>
    Object.entries(groups).map(([id, former]) => {
      const customer = wanted.get(id);
      if (!customer) return { id, from, to: undefined, isLost: !isInexact };
      const isLost = !isInexact && !isDeepStrictEqual(former, groupOf(customer));
      return { id, from, to: shardOf(customer, shards), isLost };
    }),
  );
}

function refuse(names: readonly string[], reason: string): void {
  if (names.length > 0) throw new Error(`${reason} (${few(names)}). Nothing was changed.`);
}

/** The first few, for a message. */
export function few(names: readonly string[]): string {
  const [...different] = new Set(names);
  const rest = different.length - 5;
  return [...different.slice(0, 5), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** Decides from the states of all stacks what a deployment may do, or refuses it. */
import { digestOf, few, groupOf, groupsOf, shardOf, type Lists } from "./sharding";

export interface ShardState {
  /** By customer, the digest of the group as it was declared. */
  readonly groups: ReadonlyMap<string, string>;
  /** If the last update was interrupted or failed: the digest of the groups that it was to declare. */
  readonly unfinished?: string | undefined;
}

export interface Decision {
  readonly summary: string;
  /** Shards that can be brought up now. */
  readonly first: readonly string[];
  /** Shards that wait, because customers whom they give away are in no other state yet. */
  readonly then: readonly string[];
  /** Shards whose customers have moved: they must forget these groups, not delete them. */
  readonly givers: ReadonlySet<string>;
}

/** `states`: by the name of the stack. Error: one deployment can't do all that the lists ask for without a loss. */
export function decide(lists: Lists, states: ReadonlyMap<string, ShardState>): Decision {
  const { left, changed, moves } = differences(lists, states);
  const coming = moves.filter(({ to, id }) => !states.get(to)?.groups.has(id));
  const givers = new Set(moves.map(({ from }) => from));
  const inUse = [...states].filter(
    ([, { groups, unfinished }]) => groups.size > 0 || unfinished !== undefined,
  );
  const known = [...lists.shards, ...lists.retired];
  refuse(
    inUse.map(([name]) => name).filter((name) => !known.includes(name)),
    "Stacks that hold customers are not in shards.json. If they are yours, list them as retired",
  );
  refuse(
    inUse.filter(isTakenBack).map(([name]) => name),
    "The last update was interrupted or failed. Deploy the lists of that time first, or run pulumi refresh",
  );
  refuse(
    moves.length > 0 ? left : [],
    "Customers have left while others move. List these again, deploy, and then remove them",
  );
  refuse(
    coming.filter(({ isChanged }) => isChanged).map(({ id }) => id),
    "Customers change while they move. Deploy their changes with the former shards first",
  );
  refuse(
    coming.map(({ to }) => to).filter((to) => givers.has(to)),
    "Shards would get customers and give others away. Add shards in one deployment, and retire shards in another",
  );
  refuse(
    left.length + changed.length > lists.deletionLimit ? [...left, ...changed] : [],
    `More groups would be deleted, or deleted and created again, than the deletionLimit of ${lists.deletionLimit}`,
  );
  const waiting = new Set(coming.map(({ from }) => from));
  const due = known.filter((name) => lists.shards.includes(name) || inUse.some(([each]) => each === name));
  return {
    summary: `${left.length} groups to delete, ${changed.length} to delete and create again, ${coming.length} to move`,
    first: due.filter((name) => !waiting.has(name)),
    then: due.filter((name) => waiting.has(name)),
    givers,
  };

  /** The service may have what an unfinished update declared. Without it, the program sees no difference to the state. */
  function isTakenBack([name, { unfinished }]: [string, ShardState]): boolean {
    return unfinished !== undefined && unfinished !== digestOf(groupsOf(name, lists));
  }
}

/** Customers who aren't listed any more, whose group is declared otherwise, and who belong to another shard. */
function differences(lists: Lists, states: ReadonlyMap<string, ShardState>) {
  const [left, changed]: [string[], string[]] = [[], []];
  const moves: { id: string; from: string; to: string; isChanged: boolean }[] = [];
  const wanted = new Map(
    lists.customers.map((each) => [
      each.id,
      { shard: shardOf(each, lists.shards), group: digestOf(groupOf(each)) },
    ]),
  );
  for (const [from, { groups }] of states)
    for (const [id, former] of groups) {
      const { shard: to, group } = wanted.get(id) ?? {};
      if (to === undefined) left.push(id);
      else if (to !== from) moves.push({ id, from, to, isChanged: group !== former });
      else if (group !== former) changed.push(id);
    }
  return { left, changed, moves };
}

function refuse(names: readonly string[], reason: string): void {
  if (names.length > 0) throw new Error(`${reason} (${few(names)}). Nothing was changed.`);
}

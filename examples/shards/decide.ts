/** Decides from the states of all shards what a deployment does, or refuses it. */
import { isDeepStrictEqual } from "node:util";
import { digestOf, type Plan } from "./deploymentPlan";
import { few, groupOf, shardOf, type Lists } from "./sharding";

/** What a stack has recorded. */
export interface Recorded {
  /** By customer, the group that the stack holds, as its program declared it. */
  readonly groups: ReadonlyMap<string, unknown>;
  /** Whether its last update failed in part, so that a group may differ from what was declared. */
  readonly hasFailed: boolean;
}

/** By the name of the stack. */
export type States = ReadonlyMap<string, Recorded>;

/** Throws where one deployment can't do all that the lists ask for. */
export function decide(lists: Lists, states: States): Plan {
  refuseUnknown(lists, states);
  const moves = movesIn(lists, states);
  if (moves.length > 0) refuseMixture(lists, states, moves);
  const shards = [...lists.shards, ...lists.retired.filter((name) => states.get(name)?.groups.size)];
  const givers = new Set(moves.map(({ from }) => from));
  return {
    digest: digestOf(lists),
    removed: moves.length > 0 ? "retain" : "delete",
    stages: [shards.filter((shard) => !givers.has(shard)), shards.filter((shard) => givers.has(shard))],
  };
}

/** A shard must not forget a customer whom no other has recorded: nobody would ever delete the group. */
export function refuseEarly(shards: readonly string[], lists: Lists, states: States): void {
  const early = movesIn(lists, states).filter(({ from, hasArrived }) => shards.includes(from) && !hasArrived);
  if (early.length === 0) return;
  const [ids, targets] = [early.map(({ id }) => id), early.map(({ to }) => to)];
  throw new Error(`Customers have not moved yet (${few(ids)}): bring up ${few(targets)} first.`);
}

interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Whether the new shard has recorded the customer. */
  readonly hasArrived: boolean;
  /** Whether the group may differ from the one that the new shard declares. */
  readonly isChanged: boolean;
}

/** The listed customers whom a stack holds that isn't their shard any more. */
function movesIn({ customers, shards, retired }: Lists, states: States): Move[] {
  const movesFrom = (from: string): Move[] => {
    const { groups, hasFailed } = states.get(from) ?? {
      groups: new Map<string, unknown>(),
      hasFailed: false,
    };
    const leaving = customers.filter((each) => groups.has(each.id) && shardOf(each, shards) !== from);
    return leaving.map((customer) => {
      const { id } = customer;
      const to = shardOf(customer, shards);
      const hasArrived = states.get(to)?.groups.has(id) ?? false;
      const isChanged = hasFailed || !isDeepStrictEqual(groups.get(id), groupOf(customer));
      return { id, from, to, hasArrived, isChanged };
    });
  };
  return [...shards, ...retired].flatMap(movesFrom);
}

function refuseUnknown({ shards, retired }: Lists, states: States): void {
  const holding = [...states].filter(([, { groups }]) => groups.size > 0).map(([name]) => name);
  const unknown = holding.filter((name) => ![...shards, ...retired].includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `Stacks that are not in shards.json hold customers: ${few(unknown)}. If they were shards of this deployment, list ` +
      `them there as "retired". If they are another deployment's, give this one a project name or a backend of its own.`,
  );
}

/**
 * A shard by itself can't tell a customer who has moved from one who has left. And the group of one who moves is
 * adopted as it is, since the service doesn't show its mapping.
 */
function refuseMixture({ customers }: Lists, states: States, moves: readonly Move[]): void {
  const listed = new Set(customers.map(({ id }) => id));
  const held = [...states.values()].flatMap(({ groups }) => [...groups.keys()]);
  const givers = new Set(moves.map(({ from }) => from));
  const coming = moves.filter(({ hasArrived }) => !hasArrived);
  refuse(
    held.filter((id) => !listed.has(id)),
    (ids) =>
      `Customers move to another shard while others have left (${ids}). ` +
      `List these again, deploy, and then take them out.`,
  );
  refuse(
    coming.filter(({ isChanged }) => isChanged).map(({ id }) => id),
    (ids) =>
      `Customers change while they move to another shard, or were part of a failed update (${ids}). ` +
      `Deploy their changes with the former shards first.`,
  );
  refuse(
    coming.map(({ to }) => to).filter((shard) => givers.has(shard)),
    (shards) =>
      `A shard would get customers and give others away (${shards}). ` +
      `Add shards in one deployment and retire shards in another.`,
  );
}

function refuse(reasons: readonly string[], message: (names: string) => string): void {
  if (reasons.length > 0) throw new Error(message(few(reasons)));
}

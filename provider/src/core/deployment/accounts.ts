/** Which states were written with another API token than today's, and which of them are proven to be of the same account (account.ts). */
import pLimit from "p-limit";
import { getOrAdd } from "../../values";
import type { KnownGroup } from "./facts";

/** States at one address that were written with one API token, and that one of today. */
export interface Proof {
  readonly address: string;
  readonly account: string | undefined;
  readonly today: string;
}

/** So many groups of states with one API token are remembered. */
const groupsInSight = 3;

export class Accounts {
  /** One proof at a time. */
  readonly queue = pLimit(1);
  readonly #proven = new Set<string>();
  readonly #misses = new Map<string, number>();
  readonly #inSight = new Map<string, Map<string | undefined, KnownGroup[]>>();

  /** diff: a group of a state. `account`: the digest of the API token with which the state was written. */
  see(known: KnownGroup, account: string | undefined): void {
    if (known.address === undefined) return;
    const accounts = getOrAdd(
      this.#inSight,
      known.address,
      () => new Map<string | undefined, KnownGroup[]>(),
    );
    const groups = getOrAdd(accounts, account, () => []);
    if (groups.length < groupsInSight) groups.push(known);
  }

  /** By the digest of the API token: the first groups that diff has seen in states of a service. */
  inSight(address: string): ReadonlyMap<string | undefined, readonly KnownGroup[]> {
    return this.#inSight.get(address) ?? new Map<string | undefined, KnownGroup[]>();
  }

  /** A state that was written with today's API token needs no proof. */
  isProven(proof: Proof): boolean {
    return proof.account === proof.today || this.#proven.has(keyOf(proof));
  }

  /** How many groups weren't found as stored. */
  misses(proof: Proof): number {
    return this.#misses.get(keyOf(proof)) ?? 0;
  }

  /** A group was read, and found as its state says or not. */
  note(proof: Proof, isAsStored: boolean): void {
    if (isAsStored) this.#proven.add(keyOf(proof));
    else this.#misses.set(keyOf(proof), this.misses(proof) + 1);
  }
}

function keyOf({ address, account, today }: Proof): string {
  return JSON.stringify([address, account ?? null, today]);
}

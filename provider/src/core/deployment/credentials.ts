/** The credentials of states, by their digest, as one deployment knows them (proof.ts). */
import pLimit from "p-limit";
import type { GroupName } from "../../errors";
import { getOrAdd } from "../../values";
import type { StoredGroup } from "../state/group";
import type { State } from "../state/shapes";

/** The reads of a proof that hasn't succeeded. */
interface Attempts {
  readonly groups: StoredGroup[];
  readonly possiblyCreated: GroupName[];
  readonly possiblyWritten: GroupName[];
}

/** Digest: undefined of a state without one. */
export class Credentials {
  /** One proof at a time. */
  readonly queue = pLimit(1);
  readonly #seen = new Map<string | undefined, Map<string, StoredGroup>>();
  readonly #proven = new Set<string | undefined>();
  readonly #attempts = new Map<string | undefined, Attempts>();
  /** The groups that new resources have requested, perhaps before a state was seen. */
  readonly requested: GroupName[] = [];
  /** One wait for all creations. */
  wait: Promise<void> | undefined;

  /** The groups of a state. */
  see({ credentialsDigest, groups }: Pick<State, "credentialsDigest" | "groups">): void {
    const seen = getOrAdd(this.#seen, credentialsDigest, () => new Map<string, StoredGroup>());
    for (const group of groups.values()) seen.set(group.token, group);
  }

  get digests(): readonly (string | undefined)[] {
    return [...this.#seen.keys()];
  }

  groupsOf(digest: string | undefined): readonly StoredGroup[] {
    return [...(this.#seen.get(digest)?.values() ?? [])];
  }

  /** Whether no state was seen that shows today's credentials, so that they may be new to the stack. */
  areNew(today: string): boolean {
    return !this.#seen.has(today);
  }

  prove(digest: string | undefined): void {
    this.#proven.add(digest);
  }

  isProven(digest: string | undefined): boolean {
    return this.#proven.has(digest);
  }

  attemptsOf(digest: string | undefined): Attempts {
    return getOrAdd(this.#attempts, digest, () => ({ groups: [], possiblyCreated: [], possiblyWritten: [] }));
  }
}

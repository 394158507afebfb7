/** What one deployment knows of the credentials with which states were written, by their digest (proof.ts). undefined: a state without one. */
import pLimit from "p-limit";
import type { GroupName } from "../../errors";
import { getOrAdd } from "../../values";
import type { StoredGroup } from "../state/group";
import type { State } from "../state/shapes";

export class Credentials {
  /** One proof at a time. */
  readonly queue = pLimit(1);
  /** Digest → token → group, of the states that a diff or a proof has seen. */
  readonly seen = new Map<string | undefined, Map<string, StoredGroup>>();
  readonly proven = new Set<string | undefined>();
  /** The reads of a proof that hasn't succeeded. */
  readonly attempts = new Map<string | undefined, ReturnType<typeof noAttempts>>();
  /** The groups that new resources have requested, perhaps before a state was seen. */
  readonly requested: GroupName[] = [];
  /** One wait for all creations. */
  wait: Promise<void> | undefined;

  see({ credentialsDigest, groups }: Pick<State, "credentialsDigest" | "groups">): void {
    const seen = getOrAdd(this.seen, credentialsDigest, () => new Map<string, StoredGroup>());
    for (const group of groups.values()) seen.set(group.token, group);
  }
}

export function noAttempts() {
  const groups: StoredGroup[] = [];
  const possiblyCreated: GroupName[] = [];
  const possiblyWritten: GroupName[] = [];
  return { groups, possiblyCreated, possiblyWritten };
}

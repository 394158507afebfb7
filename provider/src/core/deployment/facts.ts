/**
 * The facts about each group in one deployment (one run of `pulumi up`, `preview`, …), in the order in which they become known.
 * Facts are only added. decisions.ts decides from them.
 */
import { getOrAdd } from "../../values";
import type { Group, RecordedGroup } from "../group/recordedGroup";

/** The connection and the ID of a group, as one string. Two connections may be two accounts at one address. */
export type GroupKey = string;

export function keyOf(connection: string | undefined, userGroupId: string): GroupKey {
  return JSON.stringify([connection ?? null, userGroupId]);
}

/** The values of a group in a program; some may be unknown in a preview. */
export type GroupFields = Partial<Record<keyof Group, unknown>>;

/** check: a resource of the program declares the group. */
export interface Declared {
  readonly kind: "declared";
  /** Identifies the resource; undefined: not known. */
  readonly resource: string | undefined;
  readonly values: GroupFields;
  /** The engine passed no state, because the resource is new, or because it replaces the resource. */
  readonly isFresh: boolean;
}

/**
 * recorded: diff, a resource has the group in its state, and the program still declares it there. leaving: the same, but no longer
 * declared there. replaced: diff, the engine deletes the group, then creates it again. looked up: a lookup (`get`) has read or
 * created it. held: a resource has created, adopted or updated it. read: a refresh has read it.
 */
export interface Seen {
  readonly kind: "recorded" | "leaving" | "replaced" | "looked up" | "held" | "read";
  readonly group: RecordedGroup;
}

export type Fact =
  | Declared
  | Seen
  /** removed: diff, an update of a `UserGroups` deletes the group. tried: a resource has begun to get it from the service. */
  | { readonly kind: "removed" | "tried" }
  /** refused: the token was returned to a resource that can't have the group, so another ID or connection doesn't delete it. */
  | { readonly kind: "deleted" | "refused"; readonly token: string };

export type KeyedFact = Fact & { readonly key: GroupKey };

export class DeploymentFacts {
  readonly #byKey = new Map<GroupKey, KeyedFact[]>();
  readonly #byToken = new Map<string, KeyedFact[]>();
  #declarations = 0;
  #settledAt = -1;

  /** `pause`: waits so long that a program which declares nothing more has probably declared everything. */
  constructor(private readonly pause: (signal: AbortSignal) => Promise<void> = () => Promise.resolve()) {}

  /**
   * Whether the program has begun to declare resources. A refresh calls diff before that, or without any program, and
   * does nothing with the result. `pulumi destroy` declares nothing.
   */
  get hasProgram(): boolean {
    return this.#declarations > 0;
  }

  add(key: GroupKey, fact: Fact): void {
    const keyed = { ...fact, key };
    getOrAdd(this.#byKey, key, () => []).push(keyed);
    const token = "group" in fact ? fact.group.token : "token" in fact ? fact.token : undefined;
    if (token !== undefined) getOrAdd(this.#byToken, token, () => []).push(keyed);
  }

  noteProgram(): void {
    this.#declarations += 1;
  }

  /** The facts about a group, oldest first. */
  of(key: GroupKey): readonly KeyedFact[] {
    return this.#byKey.get(key) ?? [];
  }

  /** The facts about groups with a token, oldest first. */
  withToken(token: string): readonly KeyedFact[] {
    return this.#byToken.get(token) ?? [];
  }

  /** Waits until the program has declared nothing more for a moment, at most 25 times. */
  async settled(signal: AbortSignal): Promise<void> {
    for (let rounds = 0; rounds < 25 && this.#settledAt !== this.#declarations; rounds += 1) {
      const before = this.#declarations;
      await this.pause(signal);
      if (before === this.#declarations) this.#settledAt = before;
    }
  }

  /** Waits until `isDone`, for a moment, which is long enough for requests that are under way. */
  async wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    for (let rounds = 0; rounds < 15 && !isDone(); rounds += 1) await this.pause(signal);
  }
}

/**
 * The facts about each group in one deployment (one run of `pulumi up`, `preview`, …), in the order in which they become known.
 * Facts are only added. decisions.ts decides from them.
 */
import type { Group, RecordedGroup } from "../group/recordedGroup";

/** The connection and the ID of a group, as one string. Two connections may be two accounts at one address. */
export type GroupKey = string;

export function keyOf(connection: string | undefined, userGroupId: string): GroupKey {
  return JSON.stringify([connection ?? null, userGroupId]);
}

/** The values of a group in a program or a state; some may be unknown in a preview. */
export type GroupFields = Partial<Record<keyof Group, unknown>>;

/** A group as a resource has it: in its state, or since a response of this deployment. */
export interface HeldGroup extends GroupFields, Pick<RecordedGroup, "token" | "adopted" | "storedAs"> {}

export type Fact =
  /**
   * check: a resource of the program declares the group. `resource` identifies it; undefined: not known. `isFresh`: the engine
   * passed no state, because the resource is new, or because it replaces the resource.
   */
  | {
      readonly kind: "declared";
      readonly resource: string | undefined;
      readonly values: GroupFields;
      readonly isFresh: boolean;
    }
  /** diff: a resource of the program has the group in its state. `stays`: the program still declares it there. */
  | { readonly kind: "recorded"; readonly group: HeldGroup; readonly stays: boolean }
  /** diff: the engine deletes the group, then creates it again. */
  | { readonly kind: "replaced"; readonly stored: RecordedGroup }
  /** diff: an update of a `UserGroups` deletes the group. */
  | { readonly kind: "removed" }
  /** A resource of the program has begun to get the group from the service. */
  | { readonly kind: "tried" }
  /** A lookup (`get`) has read the group, or created it. */
  | { readonly kind: "looked up"; readonly group: HeldGroup }
  /** A resource has created, adopted or updated the group. */
  | { readonly kind: "held"; readonly group: HeldGroup }
  /** A refresh has read the group. */
  | { readonly kind: "read"; readonly stored: RecordedGroup }
  | { readonly kind: "deleted"; readonly token: string }
  /** The service returned the token to a resource that can't have the group, so another ID or connection doesn't delete it. */
  | { readonly kind: "refused"; readonly token: string };

export type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

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
    append(this.#byKey, key, keyed);
    const token = "group" in fact ? fact.group.token : "token" in fact ? fact.token : undefined;
    if (token !== undefined) append(this.#byToken, token, keyed);
  }

  /** check was called, for any number of groups. */
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
      await this.pause(signal).catch(() => undefined);
      if (before === this.#declarations) this.#settledAt = before;
    }
  }

  /** Waits until `isDone`, for a moment, which is long enough for requests that are under way. */
  async wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    for (let rounds = 0; rounds < 15 && !isDone(); rounds += 1)
      await this.pause(signal).catch(() => undefined);
  }
}

function append<Key>(facts: Map<Key, KeyedFact[]>, key: Key, fact: KeyedFact): void {
  const known = facts.get(key);
  if (known) known.push(fact);
  else facts.set(key, [fact]);
}

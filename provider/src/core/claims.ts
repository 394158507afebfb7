/**
 * What one deployment (one run of `pulumi up`, `preview`, …) knows of its resources and their groups: one claim for each resource
 * and group. Later knowledge of the same resource replaces earlier knowledge. decisions.ts decides from the claims, and never from
 * the order in which they were made.
 */
import { getOrAdd } from "../values";
import type { Group, ServiceGroup, StoredGroup } from "./drift";

/** The URN of a resource. Undefined: a state of version 0.1.0 doesn't have it. */
export type Resource = string | undefined;

/** The connection and the ID of a group in the service, as one string. Two connections may be two accounts at one address. */
export type GroupKey = string;

export function keyOf(connection: string | undefined, providedId: string): GroupKey {
  return JSON.stringify([connection ?? null, providedId]);
}

/** The values of a group in a program; some may be unknown in a preview. */
export type GroupFields = Partial<Record<keyof Group, unknown>>;

/**
 * What becomes of a group in a state, by the diff. stays: the resource keeps it. replaced: the resource deletes and creates it
 * again. leaves: the engine deletes the resource, or the group moves to another ID or service. removed: an update of a
 * `UserGroups` deletes it at once. unclear: the diff didn't know the arguments yet.
 */
export type Fate = "stays" | "replaced" | "leaves" | "removed" | "unclear";

export interface GroupInState {
  readonly group: StoredGroup;
  fate: Fate;
  /** Whether it is a former group (`overlap`), whose values the state doesn't have. */
  readonly isFormer?: boolean;
  /** Whether a change with `overlap` creates a new group beside it. */
  readonly isOverlapping?: boolean;
}

export interface Claim {
  readonly resource: Resource;
  readonly key: GroupKey;
  /** check: the program declares the group for the resource, with these values. */
  declared?: GroupFields | undefined;
  /** diff: the state of the resource has the group. */
  state?: GroupInState | undefined;
  /** create, update: the resource has got the group from the service. */
  got?: { readonly group: StoredGroup; readonly isNew: boolean; readonly isLookup: boolean } | undefined;
  /** The token that was returned to the resource, which can't have it. */
  refusedToken?: string | undefined;
  /** overlap: the resource has requested the ID for a new group, but the service has a group with it. */
  isTaken?: boolean;
}

/** `isNew`: the refresh has created it again. */
export interface ReadGroup {
  readonly group: StoredGroup;
  readonly isNew: boolean;
}

export class Claims {
  readonly #byKey = new Map<GroupKey, Map<Resource, Claim>>();
  readonly #byToken = new Map<string, Set<Claim>>();
  readonly #byResource = new Map<Resource, Set<Claim>>();
  /** By `userGroupId`: the claims of groups that have another ID in the service (`overlap`). */
  readonly #byCustomer = new Map<string, Set<Claim>>();
  /** The `deletionLimit` that the program declares for a resource. */
  readonly #limits = new Map<Resource, number>();
  /** The tokens that this deployment has deleted, by key. */
  readonly #deleted = new Map<GroupKey, Set<string>>();
  readonly #reads = new Map<GroupKey, ReadGroup>();
  /** The tokens of former groups (`overlap`) that a refresh has read. */
  readonly #formerTokens = new Map<GroupKey, string>();
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

  /** check: the groups that the program declares for a resource, and its `deletionLimit`. */
  declare(
    resource: Resource,
    groups: readonly (readonly [GroupKey, GroupFields])[],
    deletionLimit?: unknown,
  ): void {
    this.#declarations += 1;
    if (typeof deletionLimit === "number") this.#limits.set(resource, deletionLimit);
    for (const [key, values] of groups) this.#claim(resource, key).declared = values;
  }

  /**
   * The engine checks a resource without its state after the diff, so it replaces the resource. Returns the groups that the
   * diff would have kept.
   */
  replaceByEngine(resource: Resource): GroupInState[] {
    const kept = this.of(resource).flatMap(({ state }) => (state?.fate === "stays" ? [state] : []));
    for (const state of kept) state.fate = "replaced";
    return kept;
  }

  /** diff: the groups in the state of a resource. Replaces what an earlier diff of the resource said. */
  record(resource: Resource, groups: readonly (readonly [GroupKey, GroupInState])[]): void {
    for (const claim of this.of(resource)) claim.state = undefined;
    for (const [key, state] of groups) {
      const claim = this.#claim(resource, key);
      claim.state = { ...state };
      this.#index(state.group, claim);
    }
  }

  /** create, update: a resource has got a group from the service. `isNew`: this deployment has created it. */
  get(resource: Resource, key: GroupKey, group: StoredGroup, isNew: boolean, isLookup = false): void {
    const claim = this.#claim(resource, key);
    claim.got = { group, isNew, isLookup };
    this.#index(group, claim);
    this.#deleted.get(key)?.delete(group.token);
    this.#reads.delete(key);
  }

  /** overlap: the group that a resource had until now stays, as the former one of its customer. */
  keepAsFormer(resource: Resource, key: GroupKey, group: StoredGroup): void {
    const claim = this.#claim(resource, key);
    claim.got = undefined;
    claim.state = { group, fate: "stays", isFormer: true };
  }

  /** overlap: the service has a group with the ID already. */
  noteTaken(resource: Resource, key: GroupKey): void {
    this.#claim(resource, key).isTaken = true;
  }

  refuse(resource: Resource, key: GroupKey, token: string): void {
    const claim = this.#claim(resource, key);
    claim.refusedToken = token;
    getOrAdd(this.#byToken, token, () => new Set()).add(claim);
  }

  /** A deletion was confirmed. By another connection, the same account has lost the group, too. */
  delete(key: GroupKey, { providedId, token }: ServiceGroup): void {
    const isSame = ({ state }: Claim) =>
      state?.group.token === token && state.group.providedId === providedId;
    const claims = [...(this.#byToken.get(token) ?? [])].filter(isSame);
    for (const each of [key, ...claims.map((claim) => claim.key)]) {
      getOrAdd(this.#deleted, each, () => new Set()).add(token);
      this.#reads.delete(each);
    }
  }

  isDeleted(key: GroupKey, token: string): boolean {
    return this.#deleted.get(key)?.has(token) ?? false;
  }

  /** refresh: the group as another resource has read it. */
  lastRead(key: GroupKey): ReadGroup | undefined {
    return this.#reads.get(key);
  }

  read(key: GroupKey, read: ReadGroup): void {
    this.#reads.set(key, read);
  }

  /** refresh: the token of a group that another resource has read, as its current or its former one. */
  lastReadToken(key: GroupKey): string | undefined {
    return this.#reads.get(key)?.group.token ?? this.#formerTokens.get(key);
  }

  readFormer(key: GroupKey, token: string): void {
    this.#formerTokens.set(key, token);
  }

  /** The claims of a group, and of any group with the token. */
  about(key: GroupKey, token?: string): Claim[] {
    const withToken = token === undefined ? [] : (this.#byToken.get(token) ?? []);
    return [...new Set([...(this.#byKey.get(key)?.values() ?? []), ...withToken])];
  }

  /**
   * The current group of a customer that a change with `overlap` has given another ID in the service, as far as a state of this
   * deployment shows it.
   */
  movedOn(connection: string | undefined, userGroupId: string): StoredGroup | undefined {
    for (const claim of this.#byCustomer.get(userGroupId) ?? []) {
      const group = claim.state?.isFormer ? undefined : heldGroup(this, claim);
      if (group && claim.key === keyOf(connection, group.providedId)) return group;
    }
    return undefined;
  }

  /** The claims of the groups of a customer, which may have another ID in the service (`overlap`). */
  ofCustomer(connection: string | undefined, userGroupId: string): Claim[] {
    const others = [...(this.#byCustomer.get(userGroupId) ?? [])].filter(({ key, got, state }) => {
      const { providedId } = got?.group ?? state?.group ?? {};
      return providedId !== undefined && key === keyOf(connection, providedId);
    });
    return [...this.about(keyOf(connection, userGroupId)), ...others];
  }

  /** The largest `deletionLimit` of the resources that declare the group. */
  declaredLimit(key: GroupKey): number | undefined {
    const limits = this.about(key).flatMap(({ resource, declared }) => {
      const limit = declared === undefined ? undefined : this.#limits.get(resource);
      return limit ?? [];
    });
    return limits.length > 0 ? Math.max(...limits) : undefined;
  }

  /**
   * The claim of the resource whose state is passed. The URN in the state may be a former one (an alias), or missing. Then it
   * is the state that a diff has seen under another URN, and that doesn't stay.
   */
  own(resource: Resource, key: GroupKey, token?: string): Claim | undefined {
    const claim = this.#byKey.get(key)?.get(resource);
    if (claim?.state !== undefined || token === undefined) return claim;
    const renamed = this.about(key, token).find(
      ({ state }) => state?.group.token === token && (state.fate === "replaced" || state.fate === "leaves"),
    );
    return renamed ?? claim;
  }

  /** Waits until the program has declared nothing more for a moment, at most 25 times as long. */
  async settled(signal: AbortSignal, quietRounds = 1): Promise<void> {
    let quiet = 0;
    for (let rounds = 0; rounds < 25 && quiet < quietRounds; rounds += 1) {
      if (quietRounds === 1 && this.#settledAt === this.#declarations) return;
      const before = this.#declarations;
      await this.pause(signal);
      quiet = before === this.#declarations ? quiet + 1 : 0;
      if (quiet > 0) this.#settledAt = before;
    }
  }

  /** Waits until `isDone`, for a moment, which is long enough for requests that are under way. */
  async wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    for (let rounds = 0; rounds < 15 && !isDone(); rounds += 1) await this.pause(signal);
  }

  /** The claims of a resource. */
  of(resource: Resource): Claim[] {
    return [...(this.#byResource.get(resource) ?? [])];
  }

  #claim(resource: Resource, key: GroupKey): Claim {
    const claims = getOrAdd(this.#byKey, key, () => new Map<Resource, Claim>());
    const claim = getOrAdd(claims, resource, () => ({ resource, key }));
    getOrAdd(this.#byResource, resource, () => new Set()).add(claim);
    return claim;
  }

  #index(group: StoredGroup, claim: Claim): void {
    getOrAdd(this.#byToken, group.token, () => new Set()).add(claim);
    if (group.providedId !== group.userGroupId)
      getOrAdd(this.#byCustomer, group.userGroupId, () => new Set()).add(claim);
  }
}

/** The group of a resource that has got it in this deployment, or has it in a state that stays. */
export function keptGroup(claims: Claims, claim: Claim): StoredGroup | undefined {
  const isKept = claim.got !== undefined || claim.state?.fate === "stays";
  return isKept && !claim.got?.isLookup ? heldGroup(claims, claim) : undefined;
}

/** The group that the resource of a claim has in this moment, as far as this deployment knows. */
export function heldGroup(claims: Claims, claim: Claim): StoredGroup | undefined {
  const group = claim.got?.group ?? claim.state?.group;
  return group !== undefined && !claims.isDeleted(claim.key, group.token) ? group : undefined;
}

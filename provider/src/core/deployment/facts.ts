/**
 * What one deployment (one run of `pulumi up`, `preview`, …) knows of its resources and their groups. The two tables decide from it.
 *
 * | fact     | written by                                                | contains                                                  |
 * | -------- | --------------------------------------------------------- | --------------------------------------------------------- |
 * | declared | check                                                     | the resource that declares the customer, and its guards   |
 * | holders  | diff, if the group stays in its state; create and update  | the resources that have a group of the customer           |
 * | planned  | diff                                                      | the groups that don't stay: recreated, removed or left    |
 * | deleted  | a confirmed deletion                                      | the group and its token                                   |
 * | proven   | a group that was found as its state says (account.ts)     | the account of states with another API token than today's |
 */
import { getOrAdd } from "../../values";
import type { GroupName } from "../../errors";
import type { Customer, Resource } from "../state/resource";
import type { FormerGroup, ServiceGroup, StoredGroup } from "../state/storedGroup";

/** A group in a state that was seen by diff, or that the service returned to a creation or an update. */
export interface KnownGroup {
  readonly resource: Resource;
  readonly customer: Customer;
  /** The address of its service; undefined in a state of version 0.1.0 without settings. */
  readonly address: string | undefined;
  /** With the former groups that stay. */
  readonly group: StoredGroup;
}

export interface Holder extends KnownGroup {
  /** `stays`: by the state. `got`: the service returned it in this deployment. `new`: it created the group then. */
  readonly how: "stays" | "got" | "new";
}

export function isHolder(known: KnownGroup): known is Holder {
  return "how" in known;
}

export interface PlannedGroup extends KnownGroup {
  /** `left`: the engine deletes it with its state, after the creation of a replacement. */
  readonly plan: "left" | "recreated" | "removed";
}

/** The arguments of a program that guard the deletion of a resource's groups. A value may be unknown. */
export interface Guards {
  readonly removed?: unknown;
  readonly deletionLimit?: unknown;
}

/** States at one address that were written with one API token, and that one of today. */
export interface Proof {
  readonly address: string;
  readonly account: string | undefined;
  readonly today: string;
}

export class Facts {
  readonly #declared = new Map<Customer, Resource>();
  readonly #guards = new Map<Resource, Guards>();
  readonly #holders = new Map<Customer, Map<Resource, Holder>>();
  readonly #planned = new Map<Customer, Map<Resource, PlannedGroup>>();
  readonly #deleted = new Set<string>();
  /** By proof: how many groups weren't found as stored, until one was. */
  readonly #proofs = new Map<string, { isProven: boolean; misses: number }>();
  /** Indexes of holders and planned groups. */
  readonly #byToken = new Map<string, Set<KnownGroup>>();
  readonly #byResource = new Map<Resource, Set<Customer>>();
  readonly #byAccount = new Map<string, Map<string | undefined, KnownGroup[]>>();
  #declarations = 0;

  /** How often check has declared something. `pulumi refresh` and `pulumi destroy` declare nothing. */
  get declarations(): number {
    return this.#declarations;
  }

  /** check. The first resource that declares a customer is the one. */
  declare(resource: Resource, customers: readonly Customer[], guards: Guards): void {
    this.#declarations += 1;
    this.#guards.set(resource, guards);
    for (const customer of customers) getOrAdd(this.#declared, customer, () => resource);
  }

  /** The resource that declares the customer, if it isn't `except`. */
  declaredBy(customer: Customer, except: Resource): { readonly resource: Resource } | undefined {
    if (!this.#declared.has(customer)) return undefined;
    const resource = this.#declared.get(customer);
    return resource === except ? undefined : { resource };
  }

  /** Undefined: this deployment's program doesn't have the resource. */
  guardsOf(resource: Resource): Guards | undefined {
    return this.#guards.get(resource);
  }

  /** diff: replaces what an earlier diff of the resource planned. */
  startDiff(resource: Resource): void {
    for (const customer of this.#byResource.get(resource) ?? []) {
      const planned = this.#planned.get(customer)?.get(resource);
      if (!planned) continue;
      this.#planned.get(customer)?.delete(resource);
      this.#unindexTokens(planned);
    }
  }

  /** Whether diff has seen a state of the resource, so that a check without a state is that of a replacement. */
  knows(resource: Resource): boolean {
    return this.#byResource.has(resource);
  }

  hold(holder: Holder): void {
    const { resource, customer } = holder;
    this.release(resource, customer);
    this.#noteCustomer(holder);
    getOrAdd(this.#holders, customer, () => new Map<Resource, Holder>()).set(resource, holder);
    this.#indexTokens(holder);
  }

  /** A group has left the resource. */
  release(resource: Resource, customer: Customer): void {
    const holder = this.#holders.get(customer)?.get(resource);
    if (!holder) return;
    this.#holders.get(customer)?.delete(resource);
    this.#unindexTokens(holder);
  }

  holdersOf(customer: Customer): Holder[] {
    return [...(this.#holders.get(customer)?.values() ?? [])];
  }

  /**
   * The groups of any customer, held or planned, that have the token, as that of a current or a former group. At any address: one service
   * may have two names.
   */
  withToken(token: string): KnownGroup[] {
    return [...(this.#byToken.get(token) ?? [])];
  }

  plan(planned: PlannedGroup): void {
    this.#noteCustomer(planned);
    getOrAdd(this.#planned, planned.customer, () => new Map<Resource, PlannedGroup>()).set(
      planned.resource,
      planned,
    );
    this.#indexTokens(planned);
  }

  planned(customer: Customer): PlannedGroup[] {
    return [...(this.#planned.get(customer)?.values() ?? [])];
  }

  /** A deletion was confirmed. */
  noteDeleted(address: string | undefined, group: ServiceGroup): void {
    this.#deleted.add(deletedKey(address, group));
  }

  isDeleted(address: string | undefined, group: ServiceGroup): boolean {
    return this.#deleted.has(deletedKey(address, group));
  }

  /** A group was read, and found as its state says or not. */
  noteProof(proof: Proof, isAsStored: boolean): void {
    const known = getOrAdd(this.#proofs, proofKey(proof), () => ({ isProven: false, misses: 0 }));
    if (isAsStored) known.isProven = true;
    else known.misses += 1;
  }

  /** A state that was written with today's API token needs no proof. */
  proofOf(proof: Proof): { readonly isProven: boolean; readonly misses: number } {
    if (proof.account === proof.today) return { isProven: true, misses: 0 };
    return this.#proofs.get(proofKey(proof)) ?? { isProven: false, misses: 0 };
  }

  /** diff: a group of a state. `account`: the digest of the API token with which the state was written. */
  see(known: KnownGroup, account: string | undefined): void {
    if (known.address === undefined) return;
    const accounts = getOrAdd(
      this.#byAccount,
      known.address,
      () => new Map<string | undefined, KnownGroup[]>(),
    );
    const groups = getOrAdd(accounts, account, () => []);
    if (groups.length < groupsInSight) groups.push(known);
  }

  /** By the digest of the API token: the first groups that diff has seen in states of a service. */
  inSight(address: string): ReadonlyMap<string | undefined, readonly KnownGroup[]> {
    return this.#byAccount.get(address) ?? new Map<string | undefined, KnownGroup[]>();
  }

  /** The groups that this deployment got before a state with another API token was in sight, and before any proof. */
  uncheckedAt(proof: Proof): GroupName[] {
    const { address, today } = proof;
    if (this.proofOf(proof).isProven || this.inSight(address).has(today)) return [];
    const holders = [...this.#holders.values()].flatMap((each) => [...each.values()]);
    return holders
      .filter((holder) => holder.how !== "stays" && holder.address === address)
      .map(({ group }) => group);
  }

  #indexTokens(known: KnownGroup): void {
    for (const { token } of groupsIn(known.group)) getOrAdd(this.#byToken, token, () => new Set()).add(known);
  }

  #unindexTokens(known: KnownGroup): void {
    for (const { token } of groupsIn(known.group)) this.#byToken.get(token)?.delete(known);
  }

  #noteCustomer({ resource, customer }: KnownGroup): void {
    getOrAdd(this.#byResource, resource, () => new Set()).add(customer);
  }
}

/** So many groups of states with one API token are remembered, to prove an account. */
const groupsInSight = 3;

/** The current group, and the former ones of `overlap`. */
function groupsIn(group: StoredGroup): readonly (StoredGroup | FormerGroup)[] {
  return [group, ...(group.former ?? [])];
}

function proofKey({ address, account, today }: Proof): string {
  return JSON.stringify([address, account ?? null, today]);
}

function deletedKey(address: string | undefined, { providedId, token }: ServiceGroup): string {
  return JSON.stringify([address ?? null, providedId, token]);
}

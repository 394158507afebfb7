/**
 * What one deployment (one run of `pulumi up`, `preview`, …) knows of its resources and their groups. The two tables decide from it.
 *
 * | fact     | written by                                                  | contains                                                   |
 * | -------- | ----------------------------------------------------------- | ---------------------------------------------------------- |
 * | declared | check                                                       | the resource that declares the customer, guards and hours  |
 * | known    | diff and refresh, for each group of a state; then responses | the group, and what becomes of it                          |
 * | renamed  | diff                                                        | the identity in a state, and the one in the program        |
 * | deleted  | a confirmed deletion                                        | the group and its token                                    |
 * | proven   | a group that was found as its state says (account.ts)       | the account of states with another API token than today's  |
 */
import pLimit from "p-limit";
import type { CreatedGroup } from "../../service/client";
import { getOrAdd, type Resource } from "../../values";
import type { StoredGroup } from "../state/group";
import type { PreviewedWanted } from "../state/shapes";

/** A connection and a `userGroupId`. Two connections may be two accounts at one address. */
export type Customer = `customer ${string}`;

export function customerOf(connection: string | undefined, userGroupId: string): Customer {
  return `customer ${JSON.stringify([connection ?? null, userGroupId])}`;
}

/** The group of a customer in one resource. A later fact replaces an earlier one. */
export interface KnownGroup {
  readonly resource: Resource;
  readonly customer: Customer;
  /** The address of its service; empty if no setting and no state has it. */
  readonly address: string;
  /** With the former groups that stay. */
  readonly group: StoredGroup;
  /**
   * By a diff: it `stays`, is `recreated` or `removed`, or is `left`, because its state goes as a whole; `left` also if only a refresh has
   * seen the state. By a response: `got`, or `new` if the request created it.
   */
  readonly is: "stays" | "got" | "new" | "left" | "recreated" | "removed";
}

/** Whether the resource has the group, and keeps it. */
export function isHeld({ is }: KnownGroup): boolean {
  return is === "stays" || is === "got" || is === "new";
}

/** The resource of the program that has a customer, and the hours that it states for former groups. */
export interface Declaration {
  readonly resource: Resource;
  readonly hours: number | undefined;
}

/** What is known of one customer, as one resource sees it at one service, at one moment. */
export interface CustomerView {
  readonly resource: Resource;
  readonly customer: Customer;
  /** What this resource has, or had. */
  readonly own: KnownGroup | undefined;
  /** What other resources have, or had. */
  readonly others: readonly KnownGroup[];
  /** Undefined: no resource of the program declares the customer. */
  readonly declaration: Declaration | undefined;
  /** What resources have, or had, with this token, of any customer and at any address: one service may have two names. */
  readonly withToken: (token: string) => readonly KnownGroup[];
  /** Whether a deletion of the group at this service was confirmed. */
  readonly isDeleted: (group: CreatedGroup) => boolean;
  readonly address: string;
}

export class Facts {
  readonly #declared = new Map<Customer, Declaration>();
  readonly #guards = new Map<Resource, Parameters<Facts["declare"]>[2]>();
  readonly #renamed = new Map<Resource, Resource>();
  readonly #known = new Map<Customer, Map<Resource, KnownGroup>>();
  readonly #byToken = new Map<string, Set<KnownGroup>>();
  readonly #customersOf = new Map<Resource, Set<Customer>>();
  /** By token. */
  readonly #deleted = new Map<string, { readonly address: string; readonly providedId: string }[]>();
  /** The groups that responses of this deployment showed. */
  readonly received = new Set<KnownGroup>();
  /** How often check has declared something. `pulumi refresh` and `pulumi destroy` declare nothing. */
  declarations = 0;

  /** check. The first resource that declares a customer is the one. `dropped`: the guards of the state that the program leaves out. */
  declare(
    resource: Resource,
    hours: ReadonlyMap<Customer, number | undefined>,
    guards: Pick<PreviewedWanted, "removed" | "deletionLimit"> & { readonly dropped: readonly string[] },
  ): void {
    this.declarations += 1;
    this.#guards.set(resource, guards);
    for (const [customer, stated] of hours)
      getOrAdd(this.#declared, customer, () => ({ resource, hours: stated }));
  }

  /** What is known of the customer of an operation now. */
  view(operation: {
    readonly resource: Resource;
    readonly customer: Customer;
    readonly settings: { readonly baseUrl: string };
  }): CustomerView {
    const { resource, customer, settings } = operation;
    const { baseUrl: address } = settings;
    const known = this.#known.get(customer) ?? new Map<Resource, KnownGroup>();
    return {
      resource,
      customer,
      address,
      own: known.get(resource),
      others: [...known.values()].filter((each) => each.resource !== resource),
      declaration: this.#declared.get(customer),
      withToken: (token) => [...(this.#byToken.get(token) ?? [])],
      isDeleted: (group) => this.isDeleted(address, group),
    };
  }

  /** Undefined: no resource of the program declares the customer. */
  declarationOf(customer: Customer): Declaration | undefined {
    return this.#declared.get(customer);
  }

  /** Undefined: this deployment's program doesn't have the resource. */
  guardsOf(resource: Resource) {
    return this.#guards.get(resource);
  }

  /** diff: an alias, or a new parent, leads from the identity in a state to the one in the program. */
  rename(before: Resource, present: Resource): void {
    this.#renamed.set(before, present);
  }

  /** The identity in the program of a resource that has this one in its state. */
  presentOf(resource: Resource): Resource {
    return this.#renamed.get(resource) ?? resource;
  }

  /** diff: what an earlier diff of the resource planned doesn't count any more. */
  startDiff(resource: Resource): void {
    for (const customer of this.#customersOf.get(resource) ?? []) {
      const known = this.#known.get(customer)?.get(resource);
      if (known && !isHeld(known)) this.#forget(known);
    }
  }

  /** Whether a state of the resource was seen, so that a check without a state is that of a replacement. */
  knows(resource: Resource): boolean {
    return this.#customersOf.has(resource);
  }

  note(known: KnownGroup): void {
    const { resource, customer, group, is } = known;
    const before = this.#known.get(customer)?.get(resource);
    if (before) this.#forget(before);
    getOrAdd(this.#customersOf, resource, () => new Set()).add(customer);
    getOrAdd(this.#known, customer, () => new Map<Resource, KnownGroup>()).set(resource, known);
    for (const { token } of [group, ...(group.former ?? [])])
      getOrAdd(this.#byToken, token, () => new Set()).add(known);
    if (is === "got" || is === "new") this.received.add(known);
  }

  /** A refresh has seen the group of a state. What else is known of it stays known. */
  noteRead(
    group: StoredGroup,
    operation: {
      readonly resource: Resource;
      readonly connection: string | undefined;
      readonly settings: { readonly baseUrl: string };
    },
  ): void {
    const { resource, connection, settings } = operation;
    const customer = customerOf(connection, group.userGroupId);
    const { is = "left" } = this.#known.get(customer)?.get(resource) ?? {};
    this.note({ resource, customer, address: settings.baseUrl, group, is });
  }

  /** A group has left the resource. What a diff planned for it stays known. */
  release(resource: Resource, customer: Customer): void {
    const known = this.#known.get(customer)?.get(resource);
    if (known && isHeld(known)) this.#forget(known);
  }

  /** What each resource has, or had, of the customer. */
  of(customer: Customer): KnownGroup[] {
    return [...(this.#known.get(customer)?.values() ?? [])];
  }

  /** The groups that resources have at this address with this ID in the service. */
  withProvidedId(address: string, providedId: string): KnownGroup[] {
    const all = [...this.#known.values()].flatMap((each) => [...each.values()]);
    return all.filter(
      (known) => isHeld(known) && known.address === address && known.group.providedId === providedId,
    );
  }

  /** A deletion was confirmed. */
  noteDeleted(address: string, { providedId, token }: CreatedGroup): void {
    getOrAdd(this.#deleted, token, () => []).push({ address, providedId });
  }

  isDeleted(address: string, { providedId, token }: CreatedGroup): boolean {
    const deleted = this.#deleted.get(token) ?? [];
    return deleted.some((each) => each.address === address && each.providedId === providedId);
  }

  #forget(known: KnownGroup): void {
    this.#known.get(known.customer)?.delete(known.resource);
    this.received.delete(known);
    for (const { token } of [known.group, ...(known.group.former ?? [])])
      this.#byToken.get(token)?.delete(known);
  }
}

/** States at one address that were written with one API token, and that one of today. */
export interface Proof {
  readonly address: string;
  readonly account: string | undefined;
  readonly today: string;
}

/** So many groups of states with one API token are remembered. */
const groupsInSight = 3;

/** Which states were written with another API token than today's, and which of them are proven to be of the same account (account.ts). */
export class Accounts {
  /** One proof at a time. */
  readonly queue = pLimit(1);
  /** The customers whose groups were requested before a proof, which a warning has named. */
  readonly warned = new Set<Customer>();
  readonly #proven = new Set<string>();
  readonly #misses = new Map<string, number>();
  readonly #inSight = new Map<string, Map<string | undefined, KnownGroup[]>>();

  /** diff: a group of a state. `account`: the digest of the API token with which the state was written. */
  see(known: KnownGroup, account: string | undefined): void {
    if (known.address === "") return;
    const accounts = getOrAdd(
      this.#inSight,
      known.address,
      () => new Map<string | undefined, KnownGroup[]>(),
    );
    const groups = getOrAdd(accounts, account, () => []);
    if (groups.length < groupsInSight) groups.push(known);
  }

  /** The first groups that diff has seen in states that were written with this API token. */
  inSight({ address, account }: Proof): readonly KnownGroup[] {
    return this.#inSight.get(address)?.get(account) ?? [];
  }

  /** Whether diff has seen a state that was written with today's API token, which so isn't new to the stack. */
  isTodayInSight({ address, today }: Pick<Proof, "address" | "today">): boolean {
    return this.#inSight.get(address)?.has(today) ?? false;
  }

  /** What is to be proven before requests about a state with this API token; `account` null: about a new group. */
  toProve(account: string | undefined | null, of: Pick<Proof, "address" | "today">): Proof[] {
    const inSight = this.#inSight.get(of.address) ?? new Map<string | undefined, KnownGroup[]>();
    const ofOthers = inSight.has(of.today) ? [] : [...inSight.keys()];
    const accounts = account === null ? ofOthers : [account];
    const proofs = accounts.map((each) => ({ ...of, account: each }));
    return proofs.filter((proof) => proof.account !== of.today && !this.isProven(proof));
  }

  isProven(proof: Proof): boolean {
    return this.#proven.has(proofKey(proof));
  }

  /** How many groups weren't found as stored. */
  misses(proof: Proof): number {
    return this.#misses.get(proofKey(proof)) ?? 0;
  }

  /** A group was read, and found as its state says or not. */
  note(proof: Proof, isAsStored: boolean): void {
    if (isAsStored) this.#proven.add(proofKey(proof));
    else this.#misses.set(proofKey(proof), this.misses(proof) + 1);
  }
}

function proofKey({ address, account, today }: Proof): string {
  return JSON.stringify([address, account ?? null, today]);
}

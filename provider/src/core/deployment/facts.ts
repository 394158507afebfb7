/**
 * What one deployment (one run of `pulumi up`, `preview`, …) knows of its resources and their groups. The two tables decide from it.
 *
 * | fact     | written by                                                  | contains                                                |
 * | -------- | ----------------------------------------------------------- | ------------------------------------------------------- |
 * | declared | check                                                       | the resource that declares the customer, and its guards |
 * | known    | diff, for each group of a state; then create and update     | the group, and what becomes of it                       |
 * | deleted  | a confirmed deletion                                        | the group and its token                                 |
 *
 * Which account the groups are in: account.ts.
 */
import { getOrAdd } from "../../values";
import type { Customer, Resource } from "../state/resource";
import type { ServiceGroup, StoredGroup } from "../state/storedGroup";

/** The group of a customer in one resource. A later fact replaces an earlier one. */
export interface KnownGroup {
  readonly resource: Resource;
  readonly customer: Customer;
  /** The address of its service; undefined in a state of version 0.1.0 without settings. */
  readonly address: string | undefined;
  /** With the former groups that stay. */
  readonly group: StoredGroup;
  /**
   * By a diff: it `stays`, is `recreated` or `removed`, or is `left` to a deletion of the whole state. By a response: `got`, or `new` if the
   * request created it.
   */
  readonly is: "stays" | "got" | "new" | "left" | "recreated" | "removed";
}

/** Whether the resource has the group, and keeps it. */
export function isHeld({ is }: KnownGroup): boolean {
  return is === "stays" || is === "got" || is === "new";
}

/** The arguments of a program that guard the deletion of a resource's groups. A value may be unknown. */
export interface Guards {
  readonly removed?: unknown;
  readonly deletionLimit?: unknown;
}

export class Facts {
  readonly #declared = new Map<Customer, Resource>();
  readonly #guards = new Map<Resource, Guards>();
  readonly #known = new Map<Customer, Map<Resource, KnownGroup>>();
  readonly #byToken = new Map<string, Set<KnownGroup>>();
  readonly #customersOf = new Map<Resource, Set<Customer>>();
  /** The groups that responses of this deployment showed. */
  readonly received = new Set<KnownGroup>();
  readonly #deleted = new Set<string>();
  /** How often check has declared something. `pulumi refresh` and `pulumi destroy` declare nothing. */
  declarations = 0;

  /** check. The first resource that declares a customer is the one. */
  declare(resource: Resource, customers: readonly Customer[], guards: Guards): void {
    this.declarations += 1;
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

  /** diff: an earlier diff of the resource doesn't count any more. */
  startDiff(resource: Resource): void {
    for (const customer of this.#customersOf.get(resource) ?? []) {
      const known = this.#known.get(customer)?.get(resource);
      if (known && !isHeld(known)) this.#forget(known);
    }
  }

  /** Whether diff has seen a state of the resource, so that a check without a state is that of a replacement. */
  knows(resource: Resource): boolean {
    return this.#customersOf.has(resource);
  }

  note(known: KnownGroup): void {
    const { resource, customer, group, is } = known;
    const former = this.#known.get(customer)?.get(resource);
    if (former) this.#forget(former);
    getOrAdd(this.#customersOf, resource, () => new Set()).add(customer);
    getOrAdd(this.#known, customer, () => new Map<Resource, KnownGroup>()).set(resource, known);
    for (const token of tokensOf(group)) getOrAdd(this.#byToken, token, () => new Set()).add(known);
    if (is === "got" || is === "new") this.received.add(known);
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

  holdersOf(customer: Customer): KnownGroup[] {
    return this.of(customer).filter(isHeld);
  }

  /**
   * The groups of any customer that have the token, as that of a current or a former group. At any address: one service may have two
   * names.
   */
  withToken(token: string): KnownGroup[] {
    return [...(this.#byToken.get(token) ?? [])];
  }

  /** A deletion was confirmed. */
  noteDeleted(address: string | undefined, group: ServiceGroup): void {
    this.#deleted.add(deletedKey(address, group));
  }

  isDeleted(address: string | undefined, group: ServiceGroup): boolean {
    return this.#deleted.has(deletedKey(address, group));
  }

  #forget(known: KnownGroup): void {
    this.#known.get(known.customer)?.delete(known.resource);
    for (const token of tokensOf(known.group)) this.#byToken.get(token)?.delete(known);
    this.received.delete(known);
  }
}

/** Those of the current group, and of the former ones of `overlap`. */
function tokensOf({ token, former = [] }: StoredGroup): readonly string[] {
  return [token, ...former.map((each) => each.token)];
}

function deletedKey(address: string | undefined, { providedId, token }: ServiceGroup): string {
  return JSON.stringify([address ?? null, providedId, token]);
}

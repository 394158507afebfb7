/**
 * What one deployment (one run of `pulumi up`, `preview`, …) knows of its resources and their groups. The two tables decide from it.
 *
 * | fact     | written by                                                  | contains                                                   |
 * | -------- | ----------------------------------------------------------- | ---------------------------------------------------------- |
 * | declared | check                                                       | the resource that declares the customer, values and guards |
 * | known    | diff and refresh, for each group of a state; then responses | the group, and what becomes of it                          |
 * | renamed  | diff                                                        | the identity in a state, and the one in the program        |
 * | deleted  | a confirmed deletion                                        | ID and token of the group                                  |
 * | proven   | a group that was found as its state says                    | credentials (credentials.ts)                               |
 */
import type { GroupRef } from "../../service/client";
import { getOrAdd, type JsonObject, type Resource } from "../../values";
import type { StoredGroup } from "../state/group";

/** The group of a customer in one resource. A later fact replaces an earlier one. */
export interface KnownGroup {
  readonly resource: Resource;
  /** With the former groups that stay. */
  readonly group: StoredGroup;
  /**
   * By a diff: it stays, is recreated, or is removed or released by a `UserGroups`; or its state goes as a whole: left, also if only a
   * refresh has seen the state. By a response: got, or new if the request created it.
   */
  readonly status: "stays" | "recreated" | "removed" | "released" | "left" | "got" | "new";
}

/** Whether the resource has the group, and keeps it. */
export function keepsGroup({ status }: KnownGroup): boolean {
  return status === "stays" || status === "got" || status === "new";
}

/** What the program says of a customer. */
export interface Declaration {
  readonly resource: Resource;
  /** The values of the group, and the argument `overlap` of its resource; some may be unknown. */
  readonly values: JsonObject;
  readonly overlap: unknown;
  /** Whether it ends all former groups of the customer. */
  readonly endsFormer: boolean;
}

/** The guards that the program states for a resource, and those of the state that it leaves out. */
export interface Guards {
  readonly removed?: unknown;
  readonly deletionLimit?: unknown;
  readonly dropped: readonly string[];
}

/** What is known of one customer, as one resource sees it at one moment. */
export interface CustomerView {
  readonly resource: Resource;
  /** What this resource has, or had. */
  readonly own: KnownGroup | undefined;
  /** What other resources have, or had. */
  readonly others: readonly KnownGroup[];
  /** Undefined: no resource of the program declares the customer. */
  readonly declaration: Declaration | undefined;
  /** What resources have, or had, with this token, of any customer. */
  readonly withToken: (token: string) => readonly KnownGroup[];
  /** Whether a deletion of the group was confirmed. */
  readonly isDeleted: (group: GroupRef) => boolean;
}

export class Facts {
  readonly #declared = new Map<string, Declaration>();
  readonly #guards = new Map<Resource, Guards>();
  readonly #renamed = new Map<Resource, Resource>();
  readonly #known = new Map<string, Map<Resource, KnownGroup>>();
  readonly #byToken = new Map<string, Set<KnownGroup>>();
  readonly #customers = new Map<Resource, Set<string>>();
  /** Token → IDs in the service. */
  readonly #deleted = new Map<string, Set<string>>();
  #declarationCount = 0;

  /** check. The first resource that declares a customer is the one. `customers`: by `userGroupId`. */
  declare(
    resource: Resource,
    customers: ReadonlyMap<string, Omit<Declaration, "resource">>,
    guards: Guards,
  ): void {
    this.#declarationCount += 1;
    this.#guards.set(resource, guards);
    for (const [userGroupId, declared] of customers)
      getOrAdd(this.#declared, userGroupId, () => ({ ...declared, resource }));
  }

  /** Whether check has declared something. `pulumi refresh` and `pulumi destroy` declare nothing. */
  get hasProgram(): boolean {
    return this.#declarationCount > 0;
  }

  /** How often check has declared something. Until it stays the same for a while, more may come. */
  get declarationCount(): number {
    return this.#declarationCount;
  }

  /** What is known of a customer now. */
  view({
    resource,
    userGroupId,
  }: {
    readonly resource: Resource;
    readonly userGroupId: string;
  }): CustomerView {
    const known = [...(this.#known.get(userGroupId)?.values() ?? [])];
    return {
      resource,
      own: known.find((each) => each.resource === resource),
      others: known.filter((each) => each.resource !== resource),
      declaration: this.#declared.get(userGroupId),
      withToken: (token) => [...(this.#byToken.get(token) ?? [])],
      isDeleted: (group) => this.isDeleted(group),
    };
  }

  /** Undefined: no resource of the program declares the customer. */
  declarationOf(userGroupId: string): Declaration | undefined {
    return this.#declared.get(userGroupId);
  }

  /** Undefined: this deployment's program doesn't have the resource. */
  guardsOf(resource: Resource): Guards | undefined {
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

  /** Whether a state of the resource was seen, so that a check without a state is that of a replacement. */
  knows(resource: Resource): boolean {
    return this.#customers.has(resource);
  }

  note(known: KnownGroup): void {
    const { resource, group, status } = known;
    const { userGroupId } = group;
    const before = this.#known.get(userGroupId)?.get(resource);
    if (before) this.#forget(before);
    // Some services give the tokens of deleted groups again.
    if (status === "new") this.#deleted.get(group.token)?.delete(group.providedId);
    getOrAdd(this.#customers, resource, () => new Set()).add(userGroupId);
    getOrAdd(this.#known, userGroupId, () => new Map<Resource, KnownGroup>()).set(resource, known);
    for (const { token } of [group, ...(group.former ?? [])])
      getOrAdd(this.#byToken, token, () => new Set()).add(known);
  }

  /** A refresh has seen the group of a state. What else is known of it stays known. */
  noteRead(group: StoredGroup, resource: Resource): void {
    const { status = "left" } = this.#known.get(group.userGroupId)?.get(resource) ?? {};
    this.note({ resource, group, status });
  }

  /** A group has left the resource. What a diff planned for it stays known. */
  release(resource: Resource, userGroupId: string): void {
    const known = this.#known.get(userGroupId)?.get(resource);
    if (known && keepsGroup(known)) this.#forget(known);
  }

  /** What each resource has, or had, of the customer. */
  of(userGroupId: string): KnownGroup[] {
    return [...(this.#known.get(userGroupId)?.values() ?? [])];
  }

  /** The groups that resources have with this ID in the service. */
  withProvidedId(providedId: string): KnownGroup[] {
    const all = [...this.#known.values()].flatMap((each) => [...each.values()]);
    return all.filter((known) => keepsGroup(known) && known.group.providedId === providedId);
  }

  /** A deletion was confirmed. */
  noteDeleted({ providedId, token }: GroupRef): void {
    getOrAdd(this.#deleted, token, () => new Set()).add(providedId);
  }

  isDeleted({ providedId, token }: GroupRef): boolean {
    return this.#deleted.get(token)?.has(providedId) === true;
  }

  #forget(known: KnownGroup): void {
    this.#known.get(known.group.userGroupId)?.delete(known.resource);
    for (const { token } of [known.group, ...(known.group.former ?? [])])
      this.#byToken.get(token)?.delete(known);
  }
}

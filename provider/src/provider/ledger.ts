/** What `UserGroups` records while its groups come and go: always what the service holds just then. */
import { nameOf } from "../errors";
import {
  given,
  userGroupsArguments,
  type Group,
  type UserGroupsArguments,
  type UserGroupsRecord,
} from "../schema";
import { recordError } from "./border";
import type { HeldGroup } from "./group";

/** The arguments of the resource beside its groups. */
type Shared = Omit<UserGroupsArguments, "groups">;

export class Ledger {
  readonly #groups = new Map<string, HeldGroup>();
  readonly #adopted = new Set<string>();

  /** The ledger of a recorded state. Error: record-invalid, for a group without a token. */
  static of({ groups, tokens, adopted }: UserGroupsRecord): Ledger {
    const ledger = new Ledger();
    const [tokenOf, wasThere] = [new Map(Object.entries(tokens)), new Set(adopted)];
    for (const [userGroupId, group] of Object.entries(groups)) {
      const token = tokenOf.get(userGroupId);
      if (token === undefined) throw recordError(nameOf({ userGroupId }), "it has no token");
      ledger.put({ ...group, userGroupId, token }, wasThere.has(userGroupId));
    }
    return ledger;
  }

  get groups(): HeldGroup[] {
    return [...this.#groups.values()];
  }

  group(userGroupId: string): HeldGroup | undefined {
    return this.#groups.get(userGroupId);
  }

  put(group: HeldGroup, adopted: boolean): void {
    this.#groups.set(group.userGroupId, group);
    if (adopted) this.#adopted.add(group.userGroupId);
    else this.#adopted.delete(group.userGroupId);
  }

  isAdopted(userGroupId: string): boolean {
    return this.#adopted.has(userGroupId);
  }

  remove(userGroupId: string): void {
    this.#groups.delete(userGroupId);
    this.#adopted.delete(userGroupId);
  }

  /** The arguments that fit what is held. */
  inputs(shared: Shared): UserGroupsArguments {
    const groups = this.#inOrder().map(
      ({ userGroupId, token, ...group }): [string, Omit<Group, "userGroupId">] => [userGroupId, group],
    );
    const { adopt, removed, deletionLimit, connection } = shared;
    const inputs = { adopt, removed, deletionLimit, connection, groups: Object.fromEntries(groups) };
    return userGroupsArguments.parse(given(inputs));
  }

  outputs(shared: Shared): UserGroupsRecord {
    const held = this.#inOrder();
    return {
      ...this.inputs(shared),
      tokens: Object.fromEntries(held.map(({ userGroupId, token }) => [userGroupId, token])),
      adopted: held
        .map(({ userGroupId }) => userGroupId)
        .filter((userGroupId) => this.isAdopted(userGroupId)),
    };
  }

  /** By ID, so that the order in which answers came in doesn't show. */
  #inOrder(): HeldGroup[] {
    return this.groups.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
  }
}

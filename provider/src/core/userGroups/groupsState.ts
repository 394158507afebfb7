/** The state of a `UserGroups` during an operation. It has, at any time, the groups that the service has confirmed. */
import { nameOf } from "../../errors";
import type { JsonObject } from "../../values";
import { withoutState, type StoredGroup } from "../group/storedGroup";
import { stateError, type UserGroupsState } from "../state";

export class GroupsState {
  readonly #groups = new Map<string, StoredGroup>();

  /** Error: state-invalid, for a group without a token. */
  static from({ groups, tokens, adopted, shown, sent }: UserGroupsState): GroupsState {
    const state = new GroupsState();
    const [tokenOf, wasAdopted] = [new Map(Object.entries(tokens)), new Set(adopted)];
    const [shownOf, sentOf] = [new Map(Object.entries(shown)), new Map(Object.entries(sent))];
    for (const [userGroupId, group] of Object.entries(groups)) {
      const token = tokenOf.get(userGroupId);
      if (token === undefined) throw stateError(nameOf({ userGroupId }), "it has no token");
      state.put({
        ...group,
        userGroupId,
        token,
        adopted: wasAdopted.has(userGroupId),
        storedAs: shownOf.get(userGroupId),
        lastSent: sentOf.get(userGroupId),
      });
    }
    return state;
  }

  get groups(): StoredGroup[] {
    return [...this.#groups.values()];
  }

  group(userGroupId: string): StoredGroup | undefined {
    return this.#groups.get(userGroupId);
  }

  put(group: StoredGroup): void {
    this.#groups.set(group.userGroupId, group);
  }

  remove(userGroupId: string): void {
    this.#groups.delete(userGroupId);
  }

  /** The inputs that fit the state. */
  inputs(shared: JsonObject): JsonObject {
    const entries = this.#sorted().map((stored): [string, object] => {
      const { userGroupId, ...group } = withoutState(stored);
      return [userGroupId, group];
    });
    const { adopt, removed, deletionLimit, connection } = shared;
    return { adopt, removed, deletionLimit, connection, groups: Object.fromEntries(entries) };
  }

  outputs(shared: JsonObject, baseUrl: string | undefined): JsonObject {
    const sorted = this.#sorted();
    return {
      ...this.inputs(shared),
      tokens: Object.fromEntries(sorted.map(({ userGroupId, token }) => [userGroupId, token])),
      adopted: sorted.filter(({ adopted }) => adopted).map(({ userGroupId }) => userGroupId),
      baseUrl,
      shown: entriesOf(sorted, "storedAs"),
      sent: entriesOf(sorted, "lastSent"),
    };
  }

  /** By ID, independent of the order in which responses arrived. */
  #sorted(): StoredGroup[] {
    return this.groups.sort((one, other) => (one.userGroupId < other.userGroupId ? -1 : 1));
  }
}

/** `userGroupId` → fields, for the groups that have some; undefined if none has. */
function entriesOf(groups: readonly StoredGroup[], field: "storedAs" | "lastSent"): JsonObject | undefined {
  const entries = groups.flatMap(({ userGroupId, [field]: fields }): [string, object][] =>
    fields ? [[userGroupId, fields]] : [],
  );
  return entries.length > 0 ? Object.fromEntries<unknown>(entries) : undefined;
}

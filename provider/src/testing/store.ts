import { randomUUID } from "node:crypto";
import type { GroupValues, StoredGroup } from "./group";

/** The groups of the service, found by ID and by token. */
export class GroupStore {
  readonly groups = new Map<string, StoredGroup>();
  readonly #idOfToken = new Map<string, string>();
  #lastTeamId = 0;

  /** Creates a group, or gives the one that exists these values; it then keeps its token and number. */
  put(values: GroupValues): StoredGroup {
    const existing = this.groups.get(values.userGroupId);
    const { userGroupId, name, mapping, properties } = values;
    return this.#hold({
      userGroupId,
      name,
      ...(mapping && { mapping }),
      ...(properties && { properties }),
      token: existing?.token ?? randomUUID(),
      teamId: existing?.teamId ?? ++this.#lastTeamId,
    });
  }

  remove(userGroupId: string): boolean {
    const group = this.groups.get(userGroupId);
    if (group) this.#idOfToken.delete(group.token);
    return this.groups.delete(userGroupId);
  }

  rename(userGroupId: string, name: string): StoredGroup {
    return this.#hold({ ...this.#existing(userGroupId), name });
  }

  rotateToken(userGroupId: string, token: string = randomUUID()): StoredGroup {
    const group = this.#existing(userGroupId);
    this.#idOfToken.delete(group.token);
    return this.#hold({ ...group, token });
  }

  withToken(token: string): StoredGroup | undefined {
    const userGroupId = this.#idOfToken.get(token);
    return userGroupId === undefined ? undefined : this.groups.get(userGroupId);
  }

  #existing(userGroupId: string): StoredGroup {
    const group = this.groups.get(userGroupId);
    if (!group) throw new Error(`The emulator holds no user group ${JSON.stringify(userGroupId)}.`);
    return group;
  }

  #hold(group: StoredGroup): StoredGroup {
    this.groups.set(group.userGroupId, group);
    this.#idOfToken.set(group.token, group.userGroupId);
    return group;
  }
}

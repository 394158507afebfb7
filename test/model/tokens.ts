import type { Emulator } from "../../provider/src/testing";

/** Which tokens a service has ever issued for which group. */
export class Tokens {
  readonly #ofGroup = new Map<string, Set<string>>();

  /** Notes the groups that the service has now. */
  note({ groups }: Pick<Emulator, "groups">): void {
    for (const { userGroupId, token } of groups.values()) {
      const known = this.#ofGroup.get(userGroupId) ?? new Set();
      this.#ofGroup.set(userGroupId, known.add(token));
    }
  }

  isOf(userGroupId: string, token: unknown): boolean {
    return typeof token === "string" && (this.#ofGroup.get(userGroupId)?.has(token) ?? false);
  }

  get all(): string[] {
    return [...this.#ofGroup.values()].flatMap((tokens) => [...tokens]);
  }
}

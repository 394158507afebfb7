/** The groups of an account, and what others do to them. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { quoted } from "../text";
import { apiTokenSchema, parseOptions } from "./optionError";

/** What a caller says of a group (interface, section "Request-side fields of a user group"). */
export interface GroupValues {
  readonly userGroupId: string;
  readonly name: string;
  /** Schema ID → data source, or the ID of a data source. */
  readonly mapping?: Readonly<Record<string, string | number>>;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A group as the service stores it. */
export interface ServiceGroup extends GroupValues {
  /** The user group token. A group that is created again gets another one. */
  readonly token: string;
  /** The service's own number of the group. */
  readonly teamId: number;
  /** Tokens that it had before, and that a DELETE may carry. See `existingToken`. */
  readonly formerTokens?: readonly string[];
}

/** An account of the service: an API token and the groups that requests with it reach. */
export class Account {
  readonly #groups = new Map<string, ServiceGroup>();
  #apiToken = "";
  #lastTeamId = 0;

  /** @hidden */
  constructor(apiToken?: string) {
    this.rotateApiToken(apiToken);
  }

  /** The API token that requests must carry. */
  get apiToken(): string {
    return this.#apiToken;
  }

  /** The current groups by `userGroupId`. */
  get groups(): ReadonlyMap<string, ServiceGroup> {
    return this.#groups;
  }

  /** Somebody else creates a group, or gives these values to an existing one, which keeps its token. */
  putGroup(values: GroupValues, newToken: () => string = randomUUID): ServiceGroup {
    const existing = this.groups.get(values.userGroupId);
    if (!existing) return this.#store({ ...values, token: newToken(), teamId: ++this.#lastTeamId });
    const { token, teamId, formerTokens } = existing;
    return this.#store({ ...values, token, teamId, ...(formerTokens && { formerTokens }) });
  }

  /** Somebody else renames a group. Throws if it doesn't exist. */
  renameGroup(userGroupId: string, name: string): ServiceGroup {
    return this.#store({ ...this.#existing(userGroupId), name });
  }

  /** Somebody else deletes a group. Returns whether it existed. */
  removeGroup(userGroupId: string): boolean {
    return this.#groups.delete(userGroupId);
  }

  /** The service gives a group another token. Default: a random one. Throws if the group doesn't exist. */
  rotateToken(userGroupId: string, token: string = randomUUID()): ServiceGroup {
    return this.#store({ ...this.#existing(userGroupId), token });
  }

  /** The service gives a group one more token. */
  addToken(userGroupId: string, token: string = randomUUID()): ServiceGroup {
    const { formerTokens = [], ...group } = this.#existing(userGroupId);
    return this.#store({ ...group, token, formerTokens: [...formerTokens, group.token] });
  }

  /** The service accepts another API token from now on, and no longer the former one. Default: a random one. */
  rotateApiToken(apiToken?: string): string {
    this.#apiToken = parseOptions(z.object({ apiToken: apiTokenSchema }), { apiToken }).apiToken;
    return this.#apiToken;
  }

  #existing(userGroupId: string): ServiceGroup {
    const group = this.groups.get(userGroupId);
    if (!group) throw new Error(`The emulator has no user group ${quoted(userGroupId)}.`);
    return group;
  }

  #store(group: ServiceGroup): ServiceGroup {
    this.#groups.set(group.userGroupId, group);
    return group;
  }
}

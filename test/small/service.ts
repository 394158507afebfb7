/** The service of a history: how it reads its interface, what somebody else does there, and which group a token is of. */
import { startEmulator, type Account, type Emulator, type RequestLogEntry } from "../../provider/src/testing";

/** What the interface leaves open. */
export interface Reading {
  /** Get-or-create of an existing group. */
  readonly existing: "keeps" | "updates";
  readonly response: "stored" | "requested";
  /**
   * What happens to tokens. replaced, added: get-or-create of an existing group returns another one, and the former one is refused or
   * accepted from then on. reused: a group that is created again in the same account has its former token. freed: the next new group with another ID gets
   * the token of a deleted one.
   */
  readonly tokens: "random" | "replaced" | "added" | "reused" | "freed";
}

/** What goes wrong with a request, or from that request on. */
export interface ServiceFault {
  readonly kind:
    | "lost before"
    | "lost after"
    | "503"
    | "refused"
    /** The engine is killed, and the request has been applied. */
    | "killed after"
    | "all lost after"
    | "all refused";
  /** The number of the request that it hits, from 1. */
  readonly request: number;
}

/** A group in the service, from its creation to its deletion. */
export interface Instance {
  readonly userGroupId: string;
  readonly account: Account;
  readonly teamId: number;
  readonly isForeign: boolean;
  readonly tokens: Set<string>;
  isAlive: boolean;
}

/** A request as the oracle sees it. */
export interface SeenRequest {
  readonly entry: RequestLogEntry;
  readonly userGroupId: string;
  /** Of a DELETE: its `current_token`. */
  readonly token: string | undefined;
  /** The group that it created, updated, returned or deleted. */
  readonly instance: Instance | undefined;
}

export class Service {
  readonly instances: Instance[] = [];
  readonly other: Account;
  /** Called with each request after its effect. */
  onRequest: (request: SeenRequest) => void = () => undefined;
  #reading: Reading = { existing: "keeps", response: "stored", tokens: "random" };
  #freed: { readonly userGroupId: string; readonly token: string }[] = [];
  #issued = 0;
  readonly #apiToken: string;

  static async start(): Promise<Service> {
    let note: (entry: RequestLogEntry) => void = () => undefined;
    const emulator = await startEmulator({
      keepRequests: false,
      log: (entry) => {
        note(entry);
      },
    });
    const service = new Service(emulator);
    note = (entry) => {
      service.note(entry);
    };
    return service;
  }

  private constructor(readonly emulator: Emulator) {
    this.other = emulator.addAccount();
    this.#apiToken = emulator.apiToken;
  }

  /** Empties the service for the next history. */
  reset(reading: Reading): void {
    const { emulator, other } = this;
    for (const account of [emulator, other])
      for (const userGroupId of [...account.groups.keys()]) account.removeGroup(userGroupId);
    emulator.clearFaults();
    emulator.rotateApiToken(this.#apiToken);
    this.instances.length = 0;
    this.#freed = [];
    this.#issued = 0;
    this.#reading = reading;
    const existingTokens = { replaced: "replace", added: "add" } as const;
    const { tokens } = reading;
    emulator.configure({
      existing: reading.existing === "keeps" ? "keep" : "update",
      response: reading.response,
      existingToken: tokens === "replaced" || tokens === "added" ? existingTokens[tokens] : "keep",
      newToken: (userGroupId, account) => this.#newToken(userGroupId, account),
    });
  }

  /** Orders a fault for the next requests. Whoever runs the engine kills it. */
  order({ kind, request }: ServiceFault): void {
    const { emulator } = this;
    const skip = request - 1;
    if (kind === "503") emulator.fault({ kind: "status", status: 503, skip });
    if (kind === "refused") emulator.fault({ kind: "refuse", skip });
    if (kind === "all refused") emulator.fault({ kind: "refuse", skip, times: Infinity });
    if (kind === "lost before") emulator.fault({ kind: "drop", when: "before", skip });
    if (kind === "lost after") emulator.fault({ kind: "drop", when: "after", skip });
    if (kind === "all lost after") emulator.fault({ kind: "drop", when: "after", skip, times: Infinity });
  }

  /** The API token is accepted again after a kill. */
  restoreApiToken(): void {
    this.emulator.rotateApiToken(this.#apiToken);
  }

  /** Somebody else creates a group, or creates it again, so that it is another one. */
  create(
    userGroupId: string,
    values: { name: string; mapping: object; properties: object },
    account: Account = this.emulator,
  ) {
    this.delete(userGroupId, account);
    const { name } = values;
    const [mapping, properties] = [{ ...values.mapping }, { ...values.properties }];
    account.putGroup({ userGroupId, name, mapping, properties }, () => this.#newToken(userGroupId, account));
    this.#noteGroups(account, true);
  }

  delete(userGroupId: string, account: Account = this.emulator): void {
    const group = account.groups.get(userGroupId);
    if (group) this.#freed.push(group);
    account.removeGroup(userGroupId);
    this.#noteGroups(account, true);
  }

  /** Somebody else has the service give the group another token. */
  rotate(userGroupId: string): void {
    this.emulator.rotateToken(userGroupId);
    this.#noteGroups(this.emulator, true);
  }

  /** The groups that ever had the ID and the token, living ones first. */
  instancesOf(userGroupId: string, token: string): Instance[] {
    const found = this.instances.filter((each) => each.userGroupId === userGroupId && each.tokens.has(token));
    return found.sort((one, other) => Number(other.isAlive) - Number(one.isAlive));
  }

  note(entry: RequestLogEntry): void {
    const account = entry.account === 1 ? this.other : this.emulator;
    const { userGroupId = "" } = entry;
    const before = this.#living(account, userGroupId);
    const { body } = entry;
    const token =
      entry.method === "DELETE" && typeof body === "object" && body !== null && "current_token" in body
        ? String(body.current_token)
        : undefined;
    if (entry.effect === "deleted" && before)
      this.#freed.push({ userGroupId, token: [...before.tokens].at(-1) ?? "" });
    this.#noteGroups(account, false);
    const instance = this.#living(account, userGroupId) ?? (entry.effect === "deleted" ? before : undefined);
    this.onRequest({ entry, userGroupId, token, instance });
  }

  #living(account: Account, userGroupId: string): Instance | undefined {
    return this.instances.find(
      (each) => each.isAlive && each.account === account && each.userGroupId === userGroupId,
    );
  }

  #noteGroups(account: Account, isForeign: boolean): void {
    for (const instance of this.instances)
      if (instance.account === account)
        instance.isAlive = account.groups.get(instance.userGroupId)?.teamId === instance.teamId;
    for (const { userGroupId, teamId, token } of account.groups.values()) {
      const known = this.#living(account, userGroupId);
      if (known) known.tokens.add(token);
      else
        this.instances.push({
          userGroupId,
          account,
          teamId,
          isForeign,
          tokens: new Set([token]),
          isAlive: true,
        });
    }
  }

  #newToken(userGroupId: string, account: Account): string {
    const { tokens } = this.#reading;
    const suffix = account === this.other ? "-elsewhere" : "";
    if (tokens === "reused") return `token-of-${userGroupId}${suffix}`;
    const freed =
      tokens === "freed" ? this.#freed.find((each) => each.userGroupId !== userGroupId) : undefined;
    this.#freed = this.#freed.filter((each) => each !== freed);
    this.#issued += 1;
    return freed?.token ?? `token-${this.#issued}`;
  }
}

/** The service of a history: how it reads its interface, what somebody else does there, and which group a token is of. */
import {
  startEmulator,
  type Account,
  type Emulator,
  type FaultKind,
  type GroupValues,
  type RequestLogEntry,
} from "../../provider/testing";

/** What the interface leaves open. */
export interface Reading {
  /** Get-or-create of an existing group. */
  readonly existing: "keeps" | "updates";
  readonly response: "stored" | "requested";
  /**
   * Tokens of new groups. reused: a group that is created again in the same account has its former token. freed: the next new group
   * with another ID gets the token of a deleted one.
   */
  readonly tokens: "random" | "reused" | "freed";
  /** Whether `a` and `A` are one group. */
  readonly ignoresCase: boolean;
}

const faults = {
  "lost before": { kind: "drop", when: "before" },
  "lost after": { kind: "drop", when: "after" },
  "all lost after": { kind: "drop", when: "after", times: Infinity },
  refused: { kind: "refuse" },
  "all refused": { kind: "refuse", times: Infinity },
  /** The engine is killed when the request has been applied. The runner does it. */
  "killed after": undefined,
} as const satisfies Record<string, (FaultKind & { readonly times?: number }) | undefined>;

type FaultName = keyof typeof faults;

export const faultKinds = Object.keys(faults).filter((name): name is FaultName => name in faults);

/** What goes wrong with a request, or from that request on. */
export interface Fault {
  readonly kind: FaultName;
  /** The number of the request that it hits, from 1. */
  readonly request: number;
}

/** A group in the service, from its creation to its deletion. */
export interface Instance {
  readonly userGroupId: string;
  readonly account: Account;
  readonly teamId: number;
  /** Whether somebody else created it. */
  readonly isByOthers: boolean;
  /** All that it ever had, the current one last. */
  readonly tokens: Set<string>;
  isAlive: boolean;
}

/** A request as the oracle sees it. */
export interface SeenRequest {
  readonly entry: RequestLogEntry;
  readonly userGroupId: string;
  /** Of a DELETE: its `current_token`. Otherwise the token that the group has now. */
  readonly token: string | undefined;
  /** The group that it created, updated, returned or deleted. */
  readonly instance: Instance | undefined;
}

type Values = Omit<GroupValues, "userGroupId">;

export class Service {
  readonly instances: Instance[] = [];
  readonly other: Account;
  /** Called with each request after its effect. */
  onRequest: (request: SeenRequest) => void = () => undefined;
  #reading: Reading = { existing: "keeps", response: "stored", tokens: "random", ignoresCase: false };
  #freed: { readonly userGroupId: string; readonly token: string }[] = [];
  #issued = 0;
  readonly #firstApiToken: string;
  #apiToken: string;

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
      service.#note(entry);
    };
    return service;
  }

  private constructor(readonly emulator: Emulator) {
    this.other = emulator.addAccount();
    this.#firstApiToken = emulator.apiToken;
    this.#apiToken = emulator.apiToken;
  }

  /** Empties the service for the next history. */
  reset(reading: Reading): void {
    const { emulator, other } = this;
    for (const account of [emulator, other])
      for (const userGroupId of [...account.groups.keys()]) account.removeGroup(userGroupId);
    emulator.clearFaults();
    this.#apiToken = this.#firstApiToken;
    this.acceptApiToken();
    this.instances.length = 0;
    this.#freed = [];
    this.#issued = 0;
    this.#reading = reading;
    emulator.configure({
      existing: reading.existing === "keeps" ? "keep" : "update",
      response: reading.response,
      newToken: (userGroupId, account) => this.#newToken(userGroupId, account),
    });
  }

  order({ kind, request }: Fault): void {
    const fault = faults[kind];
    if (fault) this.emulator.fault({ ...fault, skip: request - 1 });
  }

  /** The account has another API token from now on. */
  rotateApiToken(): void {
    this.#apiToken = "another-api-token";
    this.acceptApiToken();
  }

  refuseApiToken(): void {
    this.emulator.rotateApiToken();
  }

  acceptApiToken(): void {
    this.emulator.rotateApiToken(this.#apiToken);
  }

  /** Somebody else creates a group, or creates it again, so that it is another one. */
  create(userGroupId: string, values: Values, account: Account = this.emulator): void {
    this.delete(userGroupId, account);
    account.putGroup({ ...values, userGroupId }, () => this.#newToken(userGroupId, account));
    this.#noteGroups(account, userGroupId, true);
  }

  delete(userGroupId: string, account: Account = this.emulator): void {
    const group = account.groups.get(userGroupId);
    if (group) this.#freed.push(group);
    account.removeGroup(userGroupId);
    this.#noteGroups(account, userGroupId, true);
  }

  /** Somebody else gives the group another name and other properties. */
  change(userGroupId: string, { name, properties }: Pick<Values, "name" | "properties">): void {
    const group = this.emulator.groups.get(userGroupId);
    if (group) this.emulator.putGroup({ ...group, name, ...(properties && { properties }) });
    this.#noteGroups(this.emulator, userGroupId, true);
  }

  /** Somebody else has the service give the group another token. */
  rotate(userGroupId: string): void {
    this.emulator.rotateToken(userGroupId);
    this.#noteGroups(this.emulator, userGroupId, true);
  }

  /** The groups that ever had the ID and the token. */
  instancesOf(userGroupId: string, token: string): Instance[] {
    const id = this.#key(userGroupId);
    return this.instances.filter((each) => each.userGroupId === id && each.tokens.has(token));
  }

  /** The living one of them, or the last. */
  instanceOf(userGroupId: string, token: string): Instance | undefined {
    const had = this.instancesOf(userGroupId, token);
    return had.find(({ isAlive }) => isAlive) ?? had.at(-1);
  }

  valuesOf({ userGroupId, account, isAlive }: Instance): Values | undefined {
    return isAlive ? account.groups.get(userGroupId) : undefined;
  }

  #note(entry: RequestLogEntry): void {
    const account = entry.account === 1 ? this.other : this.emulator;
    const { userGroupId = "", body, effect } = entry;
    const before = this.#living(account, userGroupId);
    if (effect === "deleted" && before)
      this.#freed.push({ userGroupId: before.userGroupId, token: tokenOf(before) });
    this.#noteGroups(account, userGroupId, false);
    const instance = this.#living(account, userGroupId) ?? (effect === "deleted" ? before : undefined);
    const sent =
      typeof body === "object" && body !== null && "current_token" in body
        ? String(body.current_token)
        : undefined;
    const token = entry.method === "DELETE" ? sent : instance && tokenOf(instance);
    this.onRequest({ entry, userGroupId, token, instance });
  }

  #living(account: Account, userGroupId: string): Instance | undefined {
    const id = this.#key(userGroupId);
    return this.instances.find((each) => each.isAlive && each.account === account && each.userGroupId === id);
  }

  /** `userGroupId`: of the group that may be another one now. */
  #noteGroups(account: Account, userGroupId: string, isByOthers: boolean): void {
    this.#spellTwice(account, userGroupId);
    for (const instance of this.instances)
      if (instance.account === account)
        instance.isAlive = account.groups.get(instance.userGroupId)?.teamId === instance.teamId;
    for (const { userGroupId: id, teamId, token } of account.groups.values()) {
      if (id !== this.#key(id)) continue;
      const known = this.#living(account, id);
      if (known) known.tokens.add(token);
      else
        this.instances.push({
          ...{ userGroupId: id, account, teamId, isByOthers },
          ...{ tokens: new Set([token]), isAlive: true },
        });
    }
  }

  /** The emulator has a group for each spelling. They have one token and the same values. */
  #spellTwice(account: Account, userGroupId: string): void {
    if (!this.#reading.ignoresCase) return;
    const key = this.#key(userGroupId);
    const other = userGroupId === key ? key.replace(/^./, (letter) => letter.toUpperCase()) : key;
    const group = account.groups.get(userGroupId);
    if (!group) account.removeGroup(other);
    else {
      account.putGroup({ ...group, userGroupId: other }, () => group.token);
      account.rotateToken(other, group.token);
    }
  }

  #key(userGroupId: string): string {
    return this.#reading.ignoresCase ? userGroupId.toLowerCase() : userGroupId;
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

export function tokenOf({ tokens }: Instance): string {
  return [...tokens].at(-1) ?? "";
}

import { randomUUID } from "node:crypto";
import type { Fault } from "./faults";
import { listen, type Listener } from "./listener";
import { type EmulatorBehaviour, type EmulatorOptions, settingsFrom } from "./options";
import type { RequestLogEntry } from "./requestLog";
import { Service } from "./service";
import type { GroupValues, StoredGroup } from "./store";

/** A running emulator. What its methods change, they change at once and for requests yet to arrive. */
export interface Emulator {
  /** `http://127.0.0.1:<port><basePath>`, or https. */
  readonly baseUrl: string;
  /** The API token that requests must carry. */
  readonly apiToken: string;
  /** The groups as they are now, by `userGroupId`. */
  readonly groups: ReadonlyMap<string, StoredGroup>;
  /** Every request that arrived whole, oldest first; always empty with `keepRequests: false`. */
  readonly requests: readonly RequestLogEntry[];
  /** How many connections have been opened since the start. */
  readonly connections: number;
  /** How many are open now. */
  readonly openConnections: number;
  /** How many have been open at once since the start, at the most. */
  readonly peakConnections: number;

  /** Changes what the interface leaves open; what isn't given stays. Throws a `TypeError` as `startEmulator` does. */
  configure(changes: EmulatorBehaviour): void;

  /** Somebody else creates a group, or gives one that exists these values: its token stays. */
  putGroup(values: GroupValues): StoredGroup;
  /** Somebody else renames a group. Throws where there is none. */
  renameGroup(userGroupId: string, name: string): StoredGroup;
  /** Somebody else deletes a group; false where there is none. */
  removeGroup(userGroupId: string): boolean;
  /** The service gives a group another token. Throws where there is none. */
  rotateToken(userGroupId: string): StoredGroup;
  /** The service takes another API token from now on. Default: a random one. Returns it. */
  rotateApiToken(apiToken?: string): string;

  /** Orders a fault. Throws a `TypeError` where its kind is unknown. */
  fault(fault: Fault): void;
  /** Forgets the faults that haven't hit yet. */
  clearFaults(): void;
  /** Empties `requests`. */
  clearRequests(): void;

  /** Closes the port and every connection, also in the middle of an answer. A second call does nothing more. */
  stop(): Promise<void>;
}

/**
 * Starts the user group service on 127.0.0.1.
 *
 * Rejects with a `TypeError` that names a wrong option, or with Node's error where the port is taken.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const service = new Service(settingsFrom(options));
  return new RunningEmulator(service, await listen(service));
}

class RunningEmulator implements Emulator {
  readonly baseUrl: string;
  readonly #service: Service;
  readonly #listener: Listener;
  #stopped: Promise<void> | undefined;

  constructor(service: Service, listener: Listener) {
    const { tls, basePath } = service.settings;
    this.baseUrl = `${tls ? "https" : "http"}://127.0.0.1:${listener.port}${basePath}`;
    this.#service = service;
    this.#listener = listener;
  }

  get apiToken(): string {
    return this.#service.settings.apiToken;
  }

  get groups(): ReadonlyMap<string, StoredGroup> {
    return this.#service.store.groups;
  }

  get requests(): readonly RequestLogEntry[] {
    return this.#service.requests;
  }

  get connections(): number {
    return this.#listener.connections.opened;
  }

  get openConnections(): number {
    return this.#listener.connections.open;
  }

  get peakConnections(): number {
    return this.#listener.connections.peak;
  }

  configure(changes: EmulatorBehaviour): void {
    this.#service.settings = settingsFrom({ ...this.#service.settings, ...changes });
  }

  putGroup(values: GroupValues): StoredGroup {
    return this.#service.store.put(values);
  }

  renameGroup(userGroupId: string, name: string): StoredGroup {
    return this.#service.store.rename(userGroupId, name);
  }

  removeGroup(userGroupId: string): boolean {
    return this.#service.store.remove(userGroupId);
  }

  rotateToken(userGroupId: string): StoredGroup {
    return this.#service.store.rotateToken(userGroupId);
  }

  rotateApiToken(apiToken: string = randomUUID()): string {
    this.#service.settings = settingsFrom({ ...this.#service.settings, apiToken });
    return apiToken;
  }

  fault(fault: Fault): void {
    this.#service.faults.add(fault);
  }

  clearFaults(): void {
    this.#service.faults.clear();
  }

  clearRequests(): void {
    this.#service.requests.length = 0;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#listener.close();
    return this.#stopped;
  }
}

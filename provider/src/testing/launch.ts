import { randomUUID } from "node:crypto";
import type { Emulator } from "./emulator";
import type { Fault } from "./faults";
import type { GroupValues, StoredGroup } from "./group";
import { listen, type Listener } from "./listener";
import type { EmulatorBehavior } from "./options";
import type { RequestLogEntry } from "./requestLog";
import { Service } from "./service";
import { type Settings, settingsFrom } from "./settings";

/** Starts an emulator with options that are checked already. */
export async function launch(settings: Settings): Promise<Emulator> {
  const service = new Service(settings);
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

  configure(changes: EmulatorBehavior): void {
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

  rotateToken(userGroupId: string, token?: string): StoredGroup {
    return this.#service.store.rotateToken(userGroupId, token);
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

import type { Fault } from "./faults";
import type { GroupValues, StoredGroup } from "./group";
import type { EmulatorBehavior } from "./options";
import type { RequestLogEntry } from "./requestLog";

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
  configure(changes: EmulatorBehavior): void;

  /** Somebody else creates a group, or gives one that exists these values: its token stays. */
  putGroup(values: GroupValues): StoredGroup;
  /** Somebody else renames a group. Throws where there is none. */
  renameGroup(userGroupId: string, name: string): StoredGroup;
  /** Somebody else deletes a group; false where there is none. */
  removeGroup(userGroupId: string): boolean;
  /** The service gives a group another token. Default: a random one. Throws where there is no such group. */
  rotateToken(userGroupId: string, token?: string): StoredGroup;
  /** The service takes another API token from now on. Default: a random one. Returns it. */
  rotateApiToken(apiToken?: string): string;

  /** Orders a fault. Throws a `TypeError` where its kind is unknown. */
  fault(fault: Fault): void;
  /** Forgets the faults that haven't hit yet. */
  clearFaults(): void;
  /** Empties `requests`. */
  clearRequests(): void;

  /** Closes the port and every connection, also in the middle of a response. A second call does nothing more. */
  stop(): Promise<void>;
}

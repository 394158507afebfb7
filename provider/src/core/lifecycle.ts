/** The interface between the core and its adapters (dynamic provider, plugin). */
import type { LimitFunction } from "p-limit";
import type { UserGroupError } from "../errors";
import type { Clock } from "../service/http/clock";
import type { SettingSources } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import type { JsonObject } from "../values";
import type { ChangeKind } from "./changes";
import { DeploymentFacts } from "./deployment/facts";
import { FirstReads } from "./deployment/firstReads";

export interface Logger {
  /** `isProgress`: a later line replaces it, where the engine can. */
  info(line: string, isProgress?: boolean): void;
  warn(line: string): void;
}

/** One deployment: the dependencies that an adapter passes in, and what becomes known while it runs. */
export interface Deployment {
  readonly sources: SettingSources;
  readonly facts: DeploymentFacts;
  /** By `userGroupId`. */
  readonly queues: Map<string, LimitFunction>;
  readonly firstReads: FirstReads;
  /** See service/client.ts. */
  readonly retryCauses: Set<string>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** When it aborts, no further request begins. */
  readonly signal: AbortSignal;
  /** Whether the engine runs `pulumi destroy`; undefined: not known. */
  readonly isDestroy: () => boolean | undefined;
}

const pauseMilliseconds = 200;

export function newDeployment(clock: Clock, facts?: DeploymentFacts) {
  const pause = (signal: AbortSignal) => clock.sleep(pauseMilliseconds, signal).catch(() => undefined);
  return {
    facts: facts ?? new DeploymentFacts(pause),
    queues: new Map<string, LimitFunction>(),
    firstReads: new FirstReads(),
    retryCauses: new Set<string>(),
  };
}

export interface CheckRequest {
  /** Identifies the resource of the program; the same for each check of it. Undefined: not known. */
  readonly resource?: string | undefined;
  /** The inputs in the state; empty for a new resource, and when the engine replaces one. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
}

export interface DiffRequest {
  readonly id: string;
  /** The outputs in the state. */
  readonly olds: JsonObject;
  readonly news: JsonObject;
  /** Whether another provider wrote the state, so that an update must rewrite it. */
  readonly isForeign?: boolean;
}

export interface Diff {
  readonly changes: boolean;
  /** The properties that force a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Each changed property, and for `UserGroups` each changed group, with the kind of its change. */
  readonly details: ReadonlyMap<string, ChangeKind>;
}

/** The state of a resource after an operation, all secrets in plain text. */
export interface ResourceState {
  readonly id: string;
  readonly state: JsonObject;
  /** The operation failed in part. The state has the completed changes. */
  readonly failure?: { readonly error: UserGroupError; readonly reasons: readonly string[] } | undefined;
}

/** With the inputs that fit the state. */
export interface ReadState extends ResourceState {
  readonly inputs: JsonObject;
}

/** The operations on one kind of resource. check and diff send no request and need no credentials. */
export interface Lifecycle {
  /** Returns the issues of the arguments. Error: setting-invalid. */
  check(request: CheckRequest): ValidationIssue[];
  /** Errors: deletion-limit, service-changed, setting-invalid, state-invalid. */
  diff(request: DiffRequest): Diff;
  create(inputs: JsonObject): Promise<ResourceState>;
  /**
   * `state` without a token: a lookup of a group that the stack doesn't manage. `mustExist`: a lookup of a group that doesn't
   * exist fails and leaves no group behind. Default: the lookup creates it.
   */
  read(id: string, state: JsonObject, options?: { readonly mustExist?: boolean }): Promise<ReadState>;
  update(id: string, olds: JsonObject, news: JsonObject): Promise<ResourceState>;
  delete(id: string, state: JsonObject): Promise<void>;
}

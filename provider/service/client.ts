/** The two operations of the service on one user group, in the service's own words. */
import { nameOf, UserGroupError, type Subject } from "../errors";
import type { Settings } from "../settings/readSettings";
import { parse } from "../validation";
import { getOrAdd, type JsonObject } from "../values";
import * as contract from "./contract";
import type { JsonRequest } from "./http/attempt";
import type { Service } from "./http/channel";
import { attemptMilliseconds, TimeBudget, type Clock } from "./http/clock";
import { requestJson } from "./http/jsonRequest";
import {
  causeOf,
  codeOfFault,
  pauseMilliseconds,
  TransportError,
  type TransportFault,
} from "./http/transportError";
import { invalidResponse, requestFailed, unsuccessful, wrongGroup } from "./responseErrors";
import { Secrets } from "./secrets";

/** A user group as the service returns it. It never returns the mapping. */
export interface ReturnedGroup {
  readonly token: string;
  readonly name: string;
  /** Empty if the response had none, because then the group has none (interface, "User group"). */
  readonly properties: JsonObject;
}

/** The values of a request that its response shows. */
export const returnedFields = ["name", "properties"] as const;
export type ReturnedField = (typeof returnedFields)[number];

export interface GetOrCreateResult {
  readonly group: ReturnedGroup;
  /** Whether this request created the group. */
  readonly isNew: boolean;
  /** Whether an earlier attempt may have created the group although its response was lost. */
  readonly isPossiblyApplied: boolean;
}

/** A group by its ID in the service. */
export interface GroupRef {
  readonly providedId: string;
  readonly token: string;
  readonly dataSourceProvidedId?: string | undefined;
}

export interface ClientContext {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly logger: { info(line: string): void };
  /** The causes of retries in this deployment. Each is reported once, because all groups have the same. */
  readonly logged: Set<string>;
}

/** A client for one operation on one group. All its requests share one time budget. Its methods throw UserGroupError. */
export class GroupClient {
  readonly #secrets: Secrets;

  constructor(
    private readonly context: ClientContext,
    readonly subject: Subject,
    private readonly budget = new TimeBudget(context.settings.timeout, context.clock),
  ) {
    this.#secrets = new Secrets(context.settings);
  }

  /**
   * GET /api/user (interface, "Get or create a user group"). While the response shows a group that `isOutdated`, the request is repeated,
   * as long as there is time.
   */
  async getOrCreate(
    group: contract.GroupRequest,
    isOutdated: (group: ReturnedGroup) => boolean = () => false,
  ): Promise<GetOrCreateResult> {
    const { clock, signal } = this.context;
    let isPossiblyApplied = false;
    for (let attempts = 1; ; attempts += 1) {
      const result = await this.#requestGroup(group);
      isPossiblyApplied ||= result.isPossiblyApplied;
      const pause = pauseMilliseconds(attempts, undefined, 1);
      const isOver = signal.aborted || pause >= this.budget.remainingMilliseconds;
      if (result.isNew || isOver || !isOutdated(result.group)) return { ...result, isPossiblyApplied };
      await this.budget.spend(() => clock.sleep(pause, signal)).catch(() => undefined);
    }
  }

  /** A token must never be stored for another group, so the response must name the group of the request. */
  async #requestGroup(group: contract.GroupRequest): Promise<GetOrCreateResult> {
    const exchange = await this.#send("GET", contract.getOrCreateBody(group));
    const parsed = parse(contract.getOrCreateResponse, exchange.body, (issue) =>
      invalidResponse(issue, exchange),
    );
    const { new_user_group: isNew, user_group } = parsed;
    this.#secrets.addToken(user_group.token);
    const { provided_id } = user_group;
    if (provided_id !== group.userGroupId) throw wrongGroup(exchange, isNew, group.userGroupId, provided_id);
    const { token, name, properties } = user_group;
    const returned = { token, name, properties: properties ?? {} } satisfies Record<
      "token" | ReturnedField,
      unknown
    >;
    return { group: returned, isNew, isPossiblyApplied: exchange.isPossiblyApplied };
  }

  /** DELETE /api/user (interface, "Delete a user group"). `values`: those of the group, which a refusal may repeat. */
  async delete(request: contract.DeleteRequest, values?: contract.GroupRequest): Promise<void> {
    if (values) this.#secrets.addBody(contract.getOrCreateBody(values));
    const exchange = await this.#send("DELETE", contract.deleteBody(request));
    parse(contract.deleteResponse, exchange.body, (issue) => invalidResponse(issue, exchange));
  }

  /** Deletes a group that a request of this operation has created. Returns whether that succeeded. */
  async cleanUp({ providedId, token, dataSourceProvidedId }: GroupRef): Promise<boolean> {
    try {
      await this.delete({ userGroupId: providedId, token, dataSourceProvidedId });
      return true;
    } catch (error) {
      if (error instanceof UserGroupError) return false;
      throw error;
    }
  }

  /** Returns a response with a 2xx status that is no refusal. Everything else is an error. */
  async #send(method: JsonRequest["method"], body: object) {
    const { settings, clock, signal } = this.context;
    const { subject } = this;
    this.#secrets.addBody(body);
    const sent = { request: requestTo(settings, method, body), subject, secrets: this.#secrets };
    const onRetry = (fault: TransportFault, attempts: number) => {
      if (attempts === 1) this.#logFirstFailure(fault, sent.request);
    };
    const conditions = {
      clock,
      signal,
      budget: this.budget,
      isFinal: contract.isRefusal,
      onRetry,
    };
    const response = await requestJson(sent.request, conditions).catch((error: unknown) => {
      throw error instanceof TransportError ? requestFailed(error, sent) : error;
    });
    const exchange = { ...sent, ...response };
    if (response.status < 200 || response.status > 299 || contract.isRefusal(response.body))
      throw unsuccessful(exchange);
    return exchange;
  }

  /** Another cause of a later attempt isn't logged. */
  #logFirstFailure(fault: TransportFault, { method, service }: JsonRequest): void {
    const { logger, logged, settings } = this.context;
    const request = `(${method} ${service.url.href})`;
    const message = causeOf(fault);
    const cause = `${message} ${request}`;
    if (logged.has(cause)) return;
    logged.add(cause);
    const attempt = `The first attempt to ${this.subject.operation} ${nameOf(this.subject)} failed`;
    logger.info(
      `${attempt}: ${message}${fault.detail ?? ""} ${request}; retrying for up to ${settings.timeout} s. [${codeOfFault(fault)}]`,
    );
  }
}

/** A request to the only path of the service, with what the settings add to it. */
export function requestTo(settings: Settings, method: JsonRequest["method"], body: object): JsonRequest {
  return { method, service: getOrAdd(services, settings, () => serviceOf(settings)), body };
}

/** The settings are those of many operations. */
const services = new WeakMap<Settings, Service>();

function serviceOf(settings: Settings): Service {
  const { baseUrl, apiToken, headers, clientCertificate: cert, clientKey: key } = settings;
  const { timeout, maxConnections, requestsPerSecond } = settings;
  return {
    url: new URL(`${baseUrl}/api/user`),
    authorization: `Token ${apiToken}`,
    headers,
    tlsIdentity: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    maxConnections,
    requestsPerSecond,
    attemptMilliseconds: attemptMilliseconds(timeout),
  };
}

/** The service's two operations on a user group: get-or-create and delete. */
import { nameOf, type Subject } from "../errors";
import type { Settings } from "../settings/readSettings";
import { parse } from "../validation";
import type { JsonObject } from "../values";
import {
  deleteBody,
  deleteResponse,
  getOrCreateBody,
  getOrCreateResponse,
  refusal,
  type DeleteRequest,
  type GroupRequest,
} from "./contract";
import { TimeBudget, type Clock } from "./http/clock";
import type { JsonRequest } from "./http/attempt";
import { requestJson } from "./http/jsonRequest";
import { TransportError, type TransportFault } from "./http/transportError";
import { invalidResponse, requestFailed, unsuccessful, wrongGroup, type Exchange } from "./responseErrors";

/** A user group as the service returns it. It never returns the mapping. */
export interface ReturnedGroup {
  readonly token: string;
  readonly name: string;
  /** Empty if the response had none, because then the group has none (interface, "User group"). */
  readonly properties: JsonObject;
}

export interface GetOrCreateResult {
  readonly group: ReturnedGroup;
  /** Whether this request created the group. */
  readonly isNew: boolean;
  /** Whether an earlier attempt may have created the group although its response was lost. */
  readonly isPossiblyApplied: boolean;
}

/** A client for one operation on one group. All its requests share one time budget. */
export interface GroupClient {
  readonly subject: Subject;
  /** GET /api/user (interface, "Get or create a user group"). Throws UserGroupError. */
  getOrCreate(group: GroupRequest): Promise<GetOrCreateResult>;
  /** DELETE /api/user (interface, "Delete a user group"). Throws UserGroupError. */
  delete(request: DeleteRequest): Promise<void>;
}

export interface ClientContext {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly logger: { info(line: string): void };
  /** The causes of retries in this deployment. Each is reported once, because all groups have the same. */
  readonly retryCauses: Set<string>;
}

export function newGroupClient(context: ClientContext, subject: Subject): GroupClient {
  const { baseUrl, apiToken, timeout } = context.settings;
  const budget = new TimeBudget(timeout, context.clock);
  const service = { url: new URL(`${baseUrl}/api/user`), authorization: `Token ${apiToken}` };
  const send = (method: JsonRequest["method"], body: object) =>
    exchange({ ...service, method, body }, context, budget, subject);
  return {
    subject,
    async getOrCreate(group) {
      return toResult(await send("GET", getOrCreateBody(group)));
    },
    async delete(request) {
      const exchanged = await send("DELETE", deleteBody(request));
      parse(deleteResponse, exchanged.response.body, (issue) => invalidResponse(issue, exchanged));
    },
  };
}

/** Returns a response with a 2xx status that is no refusal. Everything else is an error. */
async function exchange(
  request: JsonRequest,
  { settings: { maxConnections, timeout }, clock, signal, logger, retryCauses }: ClientContext,
  budget: TimeBudget,
  subject: Subject,
): Promise<Exchange> {
  const onRetry = ({ message }: TransportFault) => {
    const cause = `${message} (${request.method} ${request.url.href})`;
    if (retryCauses.has(cause)) return;
    retryCauses.add(cause);
    logger.info(
      `The first attempt to ${subject.operation} ${nameOf(subject)} failed: ${cause}; retrying for up to ${timeout} s.`,
    );
  };
  const context = { clock, budget, maxConnections, signal, isFinal: isRefusal, onRetry };
  const response = await requestJson(request, context).catch((error: unknown) => {
    throw error instanceof TransportError ? requestFailed(error, request, subject) : error;
  });
  const exchanged = { request, response, subject };
  if (response.status < 200 || response.status > 299 || isRefusal(response.body))
    throw unsuccessful(exchanged, isRefusal(response.body));
  return exchanged;
}

function isRefusal(body: unknown): boolean {
  return refusal.safeParse(body).success;
}

/** A token must never be stored for another group, so the response must name the group of the request. */
function toResult(exchanged: Exchange): GetOrCreateResult {
  const { response, subject } = exchanged;
  const parsed = parse(getOrCreateResponse, response.body, (issue) => invalidResponse(issue, exchanged));
  const { token, name, properties, provided_id: providedId } = parsed.user_group;
  if (providedId !== subject.userGroupId) throw wrongGroup(exchanged, parsed.new_user_group);
  return {
    group: { token, name, properties: properties ?? {} },
    isNew: parsed.new_user_group,
    isPossiblyApplied: response.isPossiblyApplied,
  };
}

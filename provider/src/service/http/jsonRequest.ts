/** One JSON request: attempts, until a response is final or the time limit is reached. */
import { setMaxListeners } from "node:events";
import { agentFor, queueFor, send, type Attempt, type RawResponse } from "./attempt";
import type { Clock, TimeBudget } from "./clock";
import { isRetryableStatus, pauseMilliseconds, retryAfterMilliseconds } from "./retryPolicy";
import {
  cancelledError,
  cutOffError,
  statusError,
  toTransportError,
  TransportError,
  type TransportFault,
} from "./transportError";

export interface JsonRequest extends Attempt {
  readonly body: object;
}

export interface RequestContext {
  readonly clock: Clock;
  readonly budget: TimeBudget;
  /** Requests at a time to one service. */
  readonly maxConnections: number;
  /** When it aborts, no further attempt begins; the one under way ends by itself. */
  readonly signal: AbortSignal;
  /** Whether a body is final even with a retryable status. */
  readonly isFinal: (body: unknown) => boolean;
  /** Called before the pause that follows a failed attempt. */
  readonly onRetry: (fault: TransportFault) => void;
}

export interface JsonResponse {
  readonly status: number;
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: unknown;
  /** The origin that a redirect points to. */
  readonly redirectsTo: string | undefined;
  readonly attempts: number;
  /** Whether an earlier attempt may have been applied although its response was lost. */
  readonly isPossiblyApplied: boolean;
}

type FirstResponse = Omit<JsonResponse, "attempts" | "isPossiblyApplied">;

/** Sends `request` until a response is final. Throws TransportError. */
export async function requestJson(request: JsonRequest, context: RequestContext): Promise<JsonResponse> {
  // Any number of requests may pause. Otherwise Node.js warns of a leak from the eleventh on.
  setMaxListeners(0, context.signal);
  let isPossiblyApplied = false;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { ...(await inTurn(request, context)), attempts, isPossiblyApplied };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      isPossiblyApplied ||= error.fault.isPossiblyApplied;
      await pause(new TransportError({ ...error.fault, isPossiblyApplied }, attempts), context);
    }
  }
}

function inTurn(request: JsonRequest, context: RequestContext): Promise<FirstResponse> {
  const inQueue = queueFor(request.url, context.maxConnections);
  return inQueue(() => {
    if (context.signal.aborted) throw cancelledError();
    return context.budget.spend(() => attempt(request, context));
  });
}

async function attempt(
  request: JsonRequest,
  { budget, clock, isFinal, maxConnections }: RequestContext,
): Promise<FirstResponse> {
  // Costs a tenth of AbortSignal.timeout.
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort();
  }, budget.attemptMilliseconds);
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  try {
    const agent = agentFor(request.url, maxConnections);
    const response = await send(request, JSON.stringify(request.body), {
      agent,
      signal: timeout.signal,
      onSent,
    });
    const { status } = response;
    const body = readJson(response);
    if (isRetryableStatus(status) && (status === 429 || !isFinal(body)))
      throw statusError(status, retryAfterMilliseconds(response.header("retry-after"), clock.date()));
    return { status, body, redirectsTo: redirectOrigin(response, request.url) };
  } catch (error) {
    throw toTransportError(error, { isTimedOut: timeout.signal.aborted, isSent });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A body that begins as an object and doesn't parse was cut off, because the contract's bodies are objects. One with zero bytes
 * is in UTF-16, which stays so.
 */
function readJson({ status, bytes }: RawResponse): unknown {
  const text = utf8.decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    if (status < 300 && text.trimStart().startsWith("{") && !text.includes("\0")) throw cutOffError();
    return undefined;
  }
}

const utf8 = new TextDecoder();

function redirectOrigin({ status, header }: RawResponse, from: URL): string | undefined {
  const location = header("location");
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).origin : "an address that is no URL";
}

/** Waits before the next attempt. Throws if the fault isn't retryable, or if the remaining time is too short. */
async function pause(
  failed: TransportError,
  { budget, clock, signal, onRetry }: RequestContext,
): Promise<void> {
  const { fault, attempts } = failed;
  const milliseconds = pauseMilliseconds(attempts, fault.retryAfterMilliseconds, () => clock.random());
  if (!fault.isRetryable || signal.aborted || milliseconds >= budget.remainingMilliseconds) throw failed;
  onRetry(fault);
  await budget
    .spend(() => clock.sleep(milliseconds, signal))
    .catch(() => {
      throw failed;
    });
}

import { setMaxListeners } from "node:events";
import { channelTo, send, type JsonRequest } from "./attempt";
import type { Clock, TimeBudget } from "./clock";
import * as transport from "./transportError";

export interface RequestContext {
  readonly clock: Clock;
  readonly budget: TimeBudget;
  readonly maxConnections: number;
  /** When it aborts, no further attempt begins; the one under way ends by itself. */
  readonly signal: AbortSignal;
  /** Whether a body is final even with a retryable status. */
  readonly isFinal: (body: unknown) => boolean;
  /** Called before the pause that follows a failed attempt. */
  readonly onRetry: (fault: transport.TransportFault) => void;
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

/** Sends `request` until a response is final or the time limit is reached. Throws TransportError. */
export async function requestJson(request: JsonRequest, context: RequestContext): Promise<JsonResponse> {
  const { budget, clock, signal, onRetry } = context;
  // Any number of requests may pause. Otherwise Node.js warns of a leak from the eleventh on.
  setMaxListeners(0, signal);
  let isPossiblyApplied = false;
  for (let attempts = 1; ; attempts += 1) {
    const progress = { isSent: false, isTimedOut: false };
    try {
      return { ...(await attempt(request, context, progress)), attempts, isPossiblyApplied };
    } catch (thrown) {
      const error = transport.toTransportError(thrown, progress);
      if (!(error instanceof transport.TransportError)) throw error;
      const { fault } = error;
      isPossiblyApplied ||= fault.isPossiblyApplied;
      const last = new transport.TransportError({ ...fault, isPossiblyApplied }, attempts);
      const pause = transport.pauseMilliseconds(attempts, fault.retryAfterMilliseconds, clock.random());
      if (!fault.isRetryable || signal.aborted || pause >= budget.remainingMilliseconds) throw last;
      onRetry(fault);
      await budget.spend(() => clock.sleep(pause, signal)).catch(() => Promise.reject(last));
    }
  }
}

async function attempt(request: JsonRequest, context: RequestContext, progress: transport.Progress) {
  const { budget, clock, isFinal, maxConnections, signal } = context;
  const { agent, queue } = channelTo(request.url, maxConnections);
  // Costs a tenth of AbortSignal.timeout.
  const timeout = new AbortController();
  const onSent = () => {
    progress.isSent = true;
  };
  const { status, location, retryAfter, text } = await queue(() => {
    if (signal.aborted) throw transport.failed("cancelled", "the operation was cancelled");
    const timer = setTimeout(() => {
      progress.isTimedOut = true;
      timeout.abort();
    }, budget.attemptMilliseconds);
    const response = budget.spend(() => send(request, { agent, signal: timeout.signal, onSent }));
    return response.finally(() => {
      clearTimeout(timer);
    });
  });
  const body = readJson(status, text);
  if (transport.isRetryableStatus(status) && (status === 429 || !isFinal(body)))
    throw transport.statusError(status, transport.retryAfterMilliseconds(retryAfter, clock.date()));
  return { status, body, redirectsTo: redirectOrigin(status, location, request.url) };
}

/**
 * A body that begins as an object and doesn't parse was cut off, because the contract's bodies are objects. One with zero bytes
 * is in UTF-16, which stays so.
 */
function readJson(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (status < 300 && text.trimStart().startsWith("{") && !text.includes("\0"))
      throw transport.failed("broken", "the response was cut off", {
        isRetryable: true,
        isPossiblyApplied: true,
      });
    return undefined;
  }
}

function redirectOrigin(status: number, location: string | null | undefined, from: URL): string | undefined {
  if (status < 300 || status > 399 || location == null) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).origin : "an address that is no URL";
}

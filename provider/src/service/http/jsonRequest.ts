/** One JSON request: attempts and pauses until a response is final or the time is up. */
import { setMaxListeners } from "node:events";
import { send, type JsonRequest } from "./attempt";
import { channelTo } from "./channel";
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

export interface JsonResponse extends transport.ResponseBody {
  readonly status: number;
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
    const progress = { isSent: false };
    try {
      return { ...(await attempt(request, context, progress)), attempts, isPossiblyApplied };
    } catch (thrown) {
      const error = transport.toTransportError(thrown, progress.isSent);
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

/** Whether the first byte of an attempt may have reached the service. */
interface Progress {
  isSent: boolean;
}

async function attempt(request: JsonRequest, context: RequestContext, progress: Progress) {
  const { budget, clock, isFinal, maxConnections, signal } = context;
  const { agent, queue } = channelTo(request.url, maxConnections, request.identity);
  const onSent = () => {
    progress.isSent = true;
  };
  const { status, location, retryAfter, text, undecoded } = await queue(() => {
    if (signal.aborted) throw transport.failed("cancelled", "the operation was cancelled");
    const ofAttempt = new AbortController();
    const onLimit = () => {
      ofAttempt.abort();
      return transport.timedOut(progress.isSent);
    };
    return budget.spend(() => {
      const response = send(request, { agent, signal: ofAttempt.signal, onSent });
      return within(budget.attemptMilliseconds, response, onLimit);
    });
  });
  const isEmpty = text === "" && undecoded === undefined;
  const response = { body: readJson(status, text), isEmpty, undecoded };
  if (transport.isRetryableStatus(status) && (status === 429 || !isFinal(response.body))) {
    const pause = transport.retryAfterMilliseconds(retryAfter, clock.date());
    throw transport.statusError(status, response, pause);
  }
  return { status, ...response, redirectsTo: redirectOrigin(status, location, request.url) };
}

/**
 * Settles within the limit, also if `result` never does. `onLimit` ends the work and returns the error. Costs a tenth of
 * AbortSignal.timeout.
 */
function within<Result>(
  milliseconds: number,
  result: Promise<Result>,
  onLimit: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(onLimit());
    }, milliseconds);
    void result.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/**
 * A body that begins as an object and doesn't parse was cut off, because the contract's bodies are objects. One with zero bytes
 * is in UTF-16, which stays so.
 */
function readJson(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (status < 300 && text.trimStart().startsWith("{") && !text.includes("\0")) throw transport.cutOff();
    return undefined;
  }
}

function redirectOrigin(status: number, location: string | null | undefined, from: URL): string | undefined {
  if (status < 300 || status > 399 || location == null) return undefined;
  if (!URL.canParse(location, from.href)) return "an address that is no URL";
  const { protocol, origin } = new URL(location, from);
  return /^https?:$/.test(protocol) ? origin : "an address that is no http or https URL";
}

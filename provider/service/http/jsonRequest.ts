/** One JSON request: attempts and pauses until a response is final or the time is up. */
import { send, type JsonRequest } from "./attempt";
import type { BodyText } from "./body";
import { channelTo, type Service } from "./channel";
import type { Clock, TimeBudget } from "./clock";
import { isCutOff, readJson } from "./json";
import type { Pace } from "./pace";
import * as transport from "./transportError";

export interface RequestContext {
  readonly clock: Clock;
  readonly budget: TimeBudget;
  /** When it aborts, no further attempt begins; the one under way ends by itself. */
  readonly signal: AbortSignal;
  /** Whether a body is final even with a retryable status. */
  readonly isFinal: (body: unknown) => boolean;
  /** Called before the pause that follows a failed attempt. */
  readonly onRetry: (fault: transport.TransportFault, attempts: number) => void;
}

export interface JsonResponse extends transport.ResponseBody {
  readonly status: number;
  /** The origin that a redirect points to. */
  readonly redirectsTo: string | undefined;
  /** Whether it asks for a pause before the next request. */
  readonly asksForPause: boolean;
  readonly attempts: number;
  /** Whether an earlier attempt may have been applied although its response was lost. */
  readonly isPossiblyApplied: boolean;
}

/** Sends `request` until a response is final or the time limit is reached. Throws TransportError. */
export async function requestJson(request: JsonRequest, context: RequestContext): Promise<JsonResponse> {
  const { budget, clock, signal, onRetry } = context;
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
      onRetry(fault, attempts);
      await budget.spend(() => clock.sleep(pause, signal)).catch(() => Promise.reject(last));
    }
  }
}

/** Whether the first byte of an attempt may have reached the service. */
interface Progress {
  isSent: boolean;
}

async function attempt(request: JsonRequest, context: RequestContext, progress: Progress) {
  const { budget, clock, isFinal } = context;
  const { service } = request;
  const channel = channelTo(service);
  const onSent = () => {
    progress.isSent = true;
  };
  const { status, location, retryAfter, ...text } = await channel.queue(async () => {
    await untilTurn(channel.pace, service, context);
    const ofAttempt = new AbortController();
    const onLimit = () => {
      ofAttempt.abort();
      return transport.timedOut(progress.isSent);
    };
    return budget.spend(() => {
      const response = send(request, { channel, signal: ofAttempt.signal, onSent });
      return within(budget.attemptMilliseconds, response, onLimit);
    });
  });
  const response = readBody(status, text);
  if (transport.isRetryableStatus(status) && (status === 429 || !isFinal(response.body))) {
    const pause = transport.retryAfterMilliseconds(retryAfter, clock.date());
    throw transport.statusError(status, response, pause);
  }
  const redirectsTo = redirectOrigin(status, location, service.url);
  return { status, ...response, redirectsTo, asksForPause: retryAfter != null };
}

/** Waits without spending time of the operation. */
async function untilTurn(pace: Pace, { requestsPerSecond }: Service, { clock, signal }: RequestContext) {
  const cancelled = () => transport.failed("request-cancelled");
  if (signal.aborted) throw cancelled();
  if (requestsPerSecond === undefined) return;
  await pace.turn(requestsPerSecond, clock, signal).catch((error: unknown) => {
    throw signal.aborted ? cancelled() : error;
  });
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
    const clear = () => {
      clearTimeout(timer);
    };
    result.then(clear, clear);
    result.then(resolve, reject);
  });
}

/** A body of a success that begins as an object without its end was cut off, because the service's bodies are objects. */
function readBody(status: number, { text, undecoded, isNotUtf8 }: BodyText): transport.ResponseBody {
  const isEmpty = text === "" && undecoded === undefined && isNotUtf8 === undefined;
  if (isNotUtf8) return { body: undefined, isEmpty, undecoded, issue: "is not in UTF-8" };
  if (text === "") return { body: undefined, isEmpty, undecoded, issue: undefined };
  const { body, issue } = readJson(text);
  if (issue !== undefined && status < 300 && isCutOff(text)) throw transport.cutOff();
  return { body, isEmpty, undecoded, issue };
}

function redirectOrigin(status: number, location: string | null | undefined, from: URL): string | undefined {
  if (status < 300 || status > 399 || location == null) return undefined;
  if (!URL.canParse(location, from.href)) return "an address that is no URL";
  const { protocol, origin } = new URL(location, from);
  return /^https?:$/.test(protocol) ? origin : "an address that is no http or https URL";
}

/** One JSON request: sent, and sent again after a passing fault, until an answer is final or time is up. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Response } from "node-fetch";
import pRetry from "p-retry";
import { send, type Sending } from "./send";
import { cutOffError, statusError, toTransportError, TransportError } from "./transportError";

export interface JsonRequest extends Sending {
  readonly body: object;
}

export interface Limits {
  /** Ends everything: attempts, pauses and the reading of an answer. */
  readonly deadline: Deadline;
  /** Connections at once to one origin. */
  readonly maxConnections: number;
  /** Whether a body is the service's last word, so that even a status of a passing fault is not retried. */
  readonly isLastWord: (body: unknown) => boolean;
}

export interface JsonAnswer {
  readonly status: number;
  /** The parsed body; undefined where it isn't JSON. */
  readonly body: unknown;
  /** The origin that a redirect leads to. */
  readonly redirectsTo: string | undefined;
  readonly attempts: number;
  /** Whether an earlier attempt may have been carried out, though its answer was lost. */
  readonly answerLost: boolean;
}

/** The time in all that an operation has, over all its requests. */
export class Deadline {
  private readonly end: number;

  constructor(readonly seconds: number) {
    this.end = performance.now() + seconds * 1000;
  }

  get remainingMilliseconds(): number {
    return Math.max(0, this.end - performance.now());
  }

  /** An attempt gets a third of the whole at most, so that one that hangs leaves time for others. */
  get attemptMilliseconds(): number {
    return Math.ceil(Math.min(this.remainingMilliseconds, (this.seconds * 1000) / 3));
  }
}

const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 10_000;

/** Sends `request` until an answer is final. Throws TransportError. */
export async function exchange(request: JsonRequest, limits: Limits): Promise<JsonAnswer> {
  let answerLost = false;
  return pRetry(async (attempts) => ({ ...(await attempt(request, limits)), attempts, answerLost }), {
    retries: Infinity,
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      if (!(error instanceof TransportError)) throw error;
      answerLost ||= error.fault.mayHaveBeenCarriedOut;
      await pause(error, attemptNumber, limits.deadline);
    },
  });
}

async function attempt(
  request: JsonRequest,
  { deadline, maxConnections, isLastWord }: Limits,
): Promise<Pick<JsonAnswer, "status" | "body" | "redirectsTo">> {
  const signal = AbortSignal.timeout(deadline.attemptMilliseconds);
  try {
    const response = await send(request, JSON.stringify(request.body), { maxConnections, signal });
    const body = parseJson(response, await response.text());
    if (isPassing(response.status) && (response.status === 429 || !isLastWord(body)))
      throw statusError(response.status, retryAfterMilliseconds(response));
    return { status: response.status, body, redirectsTo: redirectOrigin(response, request.url) };
  } catch (error) {
    throw toTransportError(error, signal);
  }
}

/** RFC 9110, section 15: 408, and 5xx; RFC 6585: 429, which says that nothing was carried out. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** The contract's answers are objects: what begins as one and doesn't end as one was cut off on its way. */
function parseJson(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok && text.trimStart().startsWith("{")) throw cutOffError();
    return undefined;
  }
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterMilliseconds({ headers }: Response): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function redirectOrigin({ status, headers }: Response, from: URL): string | undefined {
  const location = headers.get("location");
  if (status < 300 || status > 399 || location === null) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).origin : "an address that is no URL";
}

/** Waits with full jitter, and no less than the service asks for, or throws where there is no point or no time. */
async function pause({ fault }: TransportError, attempts: number, deadline: Deadline): Promise<void> {
  const ceiling = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (attempts - 1));
  const milliseconds = Math.max(fault.retryAfterMilliseconds ?? 0, Math.random() * ceiling);
  if (!fault.isPassing || milliseconds >= deadline.remainingMilliseconds)
    throw new TransportError(fault, attempts);
  await sleep(milliseconds);
}

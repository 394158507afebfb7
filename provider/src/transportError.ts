/** Why no usable answer came, in words that hold no part of an answer. */
import isRetryAllowed from "is-retry-allowed";
import { FetchError } from "node-fetch";

interface Fault {
  readonly failure: "broken" | "host-not-found" | "status" | "timed-out" | "tls" | "too-large";
  readonly message: string;
  /** Whether trying again may help. */
  readonly isPassing: boolean;
  /** Whether the service may have carried the request out all the same. */
  readonly mayHaveBeenCarriedOut: boolean;
  readonly retryAfterMilliseconds?: number | undefined;
}

/** A failed attempt, or the last one of several. */
export class TransportError extends Error {
  constructor(
    readonly fault: Fault,
    readonly attempts = 1,
  ) {
    super(fault.message);
  }
}

/** A status that may pass. 429 says that nothing was carried out (RFC 6585); the others may hide that it was. */
export function statusError(status: number, retryAfterMilliseconds: number | undefined): TransportError {
  const seconds = Math.ceil((retryAfterMilliseconds ?? 0) / 1000);
  return new TransportError({
    failure: "status",
    message:
      `the service answered with status ${status}` + (seconds ? ` and asked to wait ${seconds} s` : ""),
    isPassing: true,
    mayHaveBeenCarriedOut: status !== 429,
    retryAfterMilliseconds,
  });
}

export function cutOffError(): TransportError {
  return new TransportError({
    failure: "broken",
    message: "the answer was cut off",
    isPassing: true,
    mayHaveBeenCarriedOut: true,
  });
}

/** What node-fetch, node:http or the signal of an attempt threw. */
export function toTransportError(error: unknown, signal: AbortSignal): TransportError {
  if (error instanceof TransportError) return error;
  if (signal.aborted) return new TransportError(timedOut);
  if (error instanceof FetchError && error.type === "max-size") return new TransportError(tooLarge);
  return new TransportError(connectionFault(codeOf(error)));
}

const timedOut: Fault = {
  failure: "timed-out",
  message: "no complete answer came in time",
  isPassing: true,
  mayHaveBeenCarriedOut: true,
};

const tooLarge: Fault = {
  failure: "too-large",
  message: "the answer was larger than 1 MiB",
  isPassing: false,
  mayHaveBeenCarriedOut: true,
};

/** Of a proxy in the environment: the service's own URL has been checked. */
const invalidUrl = "ERR_INVALID_URL";

/** Codes of faults that come before anything of a request is sent. */
const beforeSending = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  invalidUrl,
]);

function connectionFault(code: string): Fault {
  const isTls = /^(EPROTO|ERR_TLS|ERR_SSL)/.test(code);
  const isPassing = !isTls && code !== invalidUrl && isRetryAllowed({ code });
  if (code === "ENOTFOUND")
    return {
      failure: "host-not-found",
      message: "the host was not found (ENOTFOUND)",
      isPassing: false,
      mayHaveBeenCarriedOut: false,
    };
  if (!isPassing && !beforeSending.has(code))
    return {
      failure: "tls",
      message: `no trusted TLS connection could be made (${code})`,
      isPassing,
      mayHaveBeenCarriedOut: false,
    };
  return {
    failure: "broken",
    message: `the connection failed (${code})`,
    isPassing,
    mayHaveBeenCarriedOut: !beforeSending.has(code),
  };
}

function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "unknown fault";
}

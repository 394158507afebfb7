/** Errors of attempts without a usable response. Their messages contain no part of a response. */
import { isPossiblyApplied, isRetryableCode, isTlsCode } from "./retryPolicy";

export interface Fault {
  readonly failure: "cancelled" | "broken" | "host-not-found" | "status" | "timed-out" | "tls" | "too-large";
  readonly message: string;
  readonly isRetryable: boolean;
  /** Whether the service may have applied the request. */
  readonly isPossiblyApplied: boolean;
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

/** A response with a retryable status. */
export function statusError(status: number, retryAfterMilliseconds: number | undefined): TransportError {
  const seconds = Math.ceil((retryAfterMilliseconds ?? 0) / 1000);
  return new TransportError({
    failure: "status",
    message:
      `the service returned status ${status}` + (seconds ? ` and asked for a pause of ${seconds} s` : ""),
    isRetryable: true,
    isPossiblyApplied: isPossiblyApplied(status),
    retryAfterMilliseconds,
  });
}

export function cutOffError(): TransportError {
  const message = "the response was cut off";
  return new TransportError({ failure: "broken", message, isRetryable: true, isPossiblyApplied: true });
}

export function tooLargeError(): TransportError {
  const message = "the response was larger than 1 MiB";
  return new TransportError({ failure: "too-large", message, isRetryable: false, isPossiblyApplied: true });
}

export function cancelledError(): TransportError {
  const message = "the operation was cancelled";
  return new TransportError({ failure: "cancelled", message, isRetryable: false, isPossiblyApplied: false });
}

/** The progress of an attempt when it failed. */
export interface AttemptProgress {
  /** Whether the time of the attempt is up. */
  readonly isTimedOut: boolean;
  /** Whether the first byte of the request may have reached the service. */
  readonly isSent: boolean;
}

/**
 * Converts an error of node-fetch, node:http or the signal of an attempt. Returns any other error unchanged, because it is
 * a bug in this package, which a retry can't fix.
 */
export function toTransportError(error: unknown, { isTimedOut, isSent }: AttemptProgress): unknown {
  if (error instanceof TransportError) return error;
  if (isTimedOut) return new TransportError({ ...timedOut, isPossiblyApplied: isSent });
  if (error instanceof Error && "type" in error && error.type === "max-size") return tooLargeError();
  const code = networkCode(error);
  return code === undefined ? error : new TransportError(connectionFault(code, isSent));
}

const timedOut = {
  failure: "timed-out",
  message: "no complete response came in time",
  isRetryable: true,
} as const;

function connectionFault(code: string, isSent: boolean): Fault {
  const isRetryable = isRetryableCode(code);
  if (code === "ENOTFOUND")
    return {
      failure: "host-not-found",
      message: "the host was not found (ENOTFOUND)",
      isRetryable: false,
      isPossiblyApplied: false,
    };
  if (isTlsCode(code) || (!isRetryable && !unreachable.has(code)))
    return {
      failure: "tls",
      message: `no trusted TLS connection was possible (${code})`,
      isRetryable: false,
      isPossiblyApplied: false,
    };
  return {
    failure: "broken",
    message: `the connection failed (${code})`,
    isRetryable,
    isPossiblyApplied: isSent,
  };
}

/** Permanent faults other than TLS faults: a route or a proxy is configured wrongly. */
const unreachable = new Set(["ENETUNREACH", "ERR_INVALID_URL"]);

/** Network errors have a code. A TypeError or RangeError with a code is a bug, except for an invalid URL of a proxy. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const isDefect = error instanceof TypeError || error instanceof RangeError;
  return isDefect && error.code !== "ERR_INVALID_URL" ? undefined : error.code;
}

/** Errors of attempts without a usable response. Their messages contain no part of a response. */
import { isBrokenConnection, permanentCodes } from "./retryPolicy";

export interface TransportFault {
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
    readonly fault: TransportFault,
    readonly attempts = 1,
  ) {
    super(fault.message);
  }
}

/** Not retryable and not applied, unless `facts` say so. */
function failed(
  failure: TransportFault["failure"],
  message: string,
  facts: Partial<TransportFault> = {},
): TransportError {
  return new TransportError({ failure, message, isRetryable: false, isPossiblyApplied: false, ...facts });
}

/** A response with a retryable status. 429 means that the request wasn't processed (RFC 6585). */
export function statusError(status: number, retryAfterMilliseconds: number | undefined): TransportError {
  const seconds = Math.ceil((retryAfterMilliseconds ?? 0) / 1000);
  const message = `the service returned status ${status}`;
  return failed("status", message + (seconds ? ` and asked for a pause of ${seconds} s` : ""), {
    isRetryable: true,
    isPossiblyApplied: status !== 429,
    retryAfterMilliseconds,
  });
}

export function cutOffError(): TransportError {
  return failed("broken", "the response was cut off", { isRetryable: true, isPossiblyApplied: true });
}

export function tooLargeError(): TransportError {
  return failed("too-large", "the response was larger than 1 MiB", { isPossiblyApplied: true });
}

export function cancelledError(): TransportError {
  return failed("cancelled", "the operation was cancelled");
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
  const facts = { isRetryable: true, isPossiblyApplied: isSent };
  if (isTimedOut) return failed("timed-out", "no complete response came in time", facts);
  if (error instanceof Error && "type" in error && error.type === "max-size") return tooLargeError();
  const code = networkCode(error);
  if (code === undefined) return error;
  if (code === "ENOTFOUND") return failed("host-not-found", "the host was not found (ENOTFOUND)");
  if (!isBrokenConnection(code)) return failed("tls", `no trusted TLS connection was possible (${code})`);
  const isRetryable = !permanentCodes.has(code);
  return failed("broken", `the connection failed (${code})`, { ...facts, isRetryable });
}

/** Network errors have a code. A TypeError or RangeError with a code is a bug, except for an invalid URL of a proxy. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const isDefect = error instanceof TypeError || error instanceof RangeError;
  return isDefect && error.code !== "ERR_INVALID_URL" ? undefined : error.code;
}

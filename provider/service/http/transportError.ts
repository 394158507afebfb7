/** Failed attempts, and the pauses after them. Messages contain no part of a response's body. */
import isRetryAllowed from "is-retry-allowed";
import { fill, textOf } from "../../messages/message";
import { ownValue } from "../../values";

/** What is known of the body of a response. */
export interface ResponseBody {
  /** The parsed JSON; undefined if it can't be read. */
  readonly body: unknown;
  readonly isEmpty: boolean;
  /** The content-encoding from which it couldn't be decoded. */
  readonly undecoded: string | undefined;
  /** Another reason why it can't be read, as the end of a sentence. */
  readonly issue: string | undefined;
}

/** What was seen, and no other cause: the name of the text in the catalogue of messages. */
export type Failure =
  | "broken"
  | "certificate"
  | "certificate-host"
  | "certificate-time"
  | "client-certificate"
  | "cut-off"
  | "handshake"
  | "headers-too-large"
  | "host-not-found"
  | "issuer"
  | "no-proxy-url"
  | "no-response"
  | "no-tls"
  | "no-tunnel"
  | "not-http"
  | "rate-limited"
  | "request-cancelled"
  | "socks-proxy"
  | "status-of-service"
  | "tls"
  | "tls-version"
  | "too-large"
  | "tunnel-refused";

export interface TransportFault {
  /**
   * `client-certificate`: the other side ended the TLS handshake with an alert about the client certificate; `handshake`: with one about
   * nothing. `issuer`: Node.js doesn't know the issuer of the certificate. `certificate`: it refuses the certificate for another reason.
   */
  readonly failure: Failure;
  /** What the text names: a code, a status, a variable. */
  readonly seen: string;
  /** Follows the text. It may differ between attempts of one cause. */
  readonly detail?: string;
  readonly isRetryable: boolean;
  /** Whether the service may have applied the request. */
  readonly isPossiblyApplied: boolean;
  readonly retryAfterMilliseconds?: number | undefined;
  /** That of a response with a retryable status. */
  readonly response?: ResponseBody;
}

/** As the catalogue says it, without its detail. */
export function causeOf({ failure, seen }: TransportFault): string {
  return fill(textOf(failure).cause, { seen });
}

/** The code of the error that it becomes. */
export function codeOfFault({ failure }: TransportFault): string {
  return textOf(failure).code;
}

/** A failed attempt, or the last one of several. */
export class TransportError extends Error {
  constructor(
    readonly fault: TransportFault,
    readonly attempts = 1,
  ) {
    super(causeOf(fault));
  }
}

/** Not retryable and not applied, unless `facts` say so. */
export function failed(failure: Failure, seen = "", facts?: Partial<TransportFault>) {
  return new TransportError({ failure, seen, isRetryable: false, isPossiblyApplied: false, ...facts });
}

/** Temporary: 408 and 5xx (RFC 9110, section 15), 429 (RFC 6585). Permanent: 501 and 505. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** A response with a retryable status. 429 means that the request wasn't processed (RFC 6585). */
export function statusError(
  status: number,
  response: ResponseBody,
  retryAfterMilliseconds = 0,
): TransportError {
  const seconds = Math.ceil(retryAfterMilliseconds / 1000);
  const facts = { isRetryable: true, isPossiblyApplied: status !== 429, retryAfterMilliseconds, response };
  const detail = seconds > 0 ? ` and asked for a pause of ${seconds} s` : "";
  return failed(status === 429 ? "rate-limited" : "status-of-service", String(status), { ...facts, detail });
}

export function cutOff(): TransportError {
  return failed("cut-off", "", { isRetryable: true, isPossiblyApplied: true });
}

export function timedOut(isPossiblyApplied: boolean): TransportError {
  return failed("no-response", "", { isRetryable: true, isPossiblyApplied });
}

/**
 * Converts an error of node-fetch, node:http or node:tls. Returns any other error unchanged, because it is a bug in this package,
 * which a retry can't fix. `isSent`: the first byte may have reached the service.
 */
export function toTransportError(error: unknown, isSent: boolean): unknown {
  if (error instanceof TransportError) return error;
  // Network errors have a code. A TypeError or RangeError with a code is a bug.
  const code = codeOf(error);
  if (code === undefined || error instanceof TypeError || error instanceof RangeError) return error;
  if (code.startsWith(proxyPrefix)) return noTunnel(code.slice(proxyPrefix.length));
  if (code === "ENOTFOUND") return failed("host-not-found", code);
  // The route is wrong, and stays so.
  const isRetryable = code !== "ENETUNREACH";
  if (isRetryable && !isTransient(code)) return tlsError(error, code);
  const facts = { isRetryable, isPossiblyApplied: isSent };
  if (code === "HPE_HEADER_OVERFLOW") return failed("headers-too-large", code, facts);
  // Otherwise the response was cut off in its headers.
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE") return failed("not-http", code, facts);
  return failed("broken", code, facts);
}

function tlsError(error: unknown, code: string): TransportError {
  const failure = ownValue(certificateFailures, code);
  if (failure !== undefined) return failed(failure, code);
  if (!/^(EPROTO|ERR_SSL)/.test(code)) return failed("certificate", code);
  const ended = alertIn(error);
  if (ended) return failed(ended.failure, ended.alert);
  const reason = reasonOfOpenssl(error) ?? code;
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(reason))
    return failed("no-tls", reason);
  if (/protocol.version|unsupported.protocol/i.test(reason)) return failed("tls-version", reason);
  return failed("tls", reason);
}

/** Codes of Node.js with one cause each. */
const certificateFailures: Readonly<Record<string, Failure>> = {
  CERT_HAS_EXPIRED: "certificate-time",
  CERT_NOT_YET_VALID: "certificate-time",
  CERT_UNTRUSTED: "issuer",
  DEPTH_ZERO_SELF_SIGNED_CERT: "issuer",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
  HOSTNAME_MISMATCH: "certificate-host",
  SELF_SIGNED_CERT_IN_CHAIN: "issuer",
  UNABLE_TO_GET_ISSUER_CERT: "issuer",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "issuer",
};

/** Such as `wrong version number` of `write EPROTO 80A1:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:…`. */
function reasonOfOpenssl(error: unknown): string | undefined {
  return error instanceof Error
    ? /:SSL routines:[^:]*:([a-z0-9/ -]{1,60}):/i.exec(error.message)?.[1]
    : undefined;
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** TLS alerts with which servers refuse a client without a certificate, or with this one (RFC 8446, section 6.2). */
const alerts: Readonly<Record<string, string>> = {
  "42": "bad_certificate",
  "43": "unsupported_certificate",
  "44": "certificate_revoked",
  "45": "certificate_expired",
  "46": "certificate_unknown",
  "48": "unknown_ca",
  "49": "access_denied",
  "116": "certificate_required",
};

/** Node.js has the alert in the message only. The code depends on the version of TLS and of Node.js. */
function alertIn(error: unknown): { alert: string; failure: Failure } | undefined {
  const number = error instanceof Error ? /SSL alert number (\d+)/.exec(error.message)?.[1] : undefined;
  if (number === "40") return { alert: "handshake_failure", failure: "handshake" };
  const alert = number === undefined ? undefined : ownValue(alerts, number);
  return alert === undefined ? undefined : { alert, failure: "client-certificate" };
}

function isTransient(code: string): boolean {
  return isRetryAllowed({ code }) && !/^(EPROTO|ERR_TLS|ERR_SSL)/.test(code);
}

const proxyPrefix = "PROXY_";

/**
 * The error of a proxy that opened no tunnel. `cause`: the status of its answer, or the code of the network's error. The code of
 * the error has it, because node-fetch passes nothing else on.
 */
export function proxyError(cause: number | string): Error {
  return Object.assign(new Error("The proxy opened no tunnel"), { code: `${proxyPrefix}${cause}` });
}

function noTunnel(cause: string): TransportError {
  const status = /^\d+$/.test(cause) ? Number(cause) : undefined;
  if (status === undefined) return failed("no-tunnel", cause, { isRetryable: isTransient(cause) });
  return failed("tunnel-refused", cause, { isRetryable: isRetryableStatus(status) });
}

/** Exponential backoff with full jitter from 0.2 s to 10 s, and no less than the service asks for. */
export function pauseMilliseconds(attempts: number, retryAfter = 0, random: number): number {
  return Math.max(retryAfter, random * Math.min(10_000, 200 * 2 ** (attempts - 1)));
}

/** The header `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). `date`: the time now. */
export function retryAfterMilliseconds(value: string | null | undefined, date: number): number | undefined {
  if (value == null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - date;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

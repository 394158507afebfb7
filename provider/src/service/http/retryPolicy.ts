/** Which failed attempts are retried, and the pause before a retry. */
import isRetryAllowed from "is-retry-allowed";

/** Temporary: 408 and 5xx (RFC 9110, section 15), 429 (RFC 6585). Permanent: 501 and 505. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Whether a code of Node.js is that of a broken connection. Untrusted certificates and other TLS faults aren't. */
export function isBrokenConnection(code: string): boolean {
  return permanentCodes.has(code) || (isRetryAllowed({ code }) && !/^(EPROTO|ERR_TLS|ERR_SSL)/.test(code));
}

/** Broken connections that stay so: the route, or the URL of a proxy, is wrong. (The service's URL was validated.) */
export const permanentCodes: ReadonlySet<string> = new Set(["ENETUNREACH", "ERR_INVALID_URL"]);

const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 10_000;

/** Exponential backoff with full jitter, and no less than the service asks for. */
export function pauseMilliseconds(
  failedAttempts: number,
  retryAfterMilliseconds: number | undefined,
  random: () => number,
): number {
  const ceiling = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (failedAttempts - 1));
  return Math.max(retryAfterMilliseconds ?? 0, random() * ceiling);
}

/** The header `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). `date`: the time now. */
export function retryAfterMilliseconds(value: string | undefined, date: number): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - date;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

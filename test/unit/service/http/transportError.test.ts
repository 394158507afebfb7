/** Which failures are retried, when, and whether the service may have applied the request. */
import assert from "node:assert/strict";
import { TimeBudget } from "../../../../provider/service/http/clock";
import {
  causeOf,
  isRetryableStatus,
  pauseMilliseconds,
  proxyError,
  retryAfterMilliseconds,
  toTransportError,
  TransportError,
} from "../../../../provider/service/http/transportError";

function withCode(code: string, error = new Error("s3cret")): Error {
  return Object.assign(error, { code });
}

function faultOf(error: Error, isSent: boolean) {
  const found = toTransportError(error, isSent);
  return found instanceof TransportError ? found.fault : assert.fail("an exception of another kind");
}

describe("a transport error", () => {
  const mayBeApplied = new Set<string>(["broken", "headers-too-large", "not-http"]);
  for (const [code, failure, isRetryable] of [
    ["ECONNRESET", "broken", true],
    ["ERR_STREAM_PREMATURE_CLOSE", "broken", true],
    ["HPE_INVALID_CONSTANT", "not-http", true],
    ["HPE_HEADER_OVERFLOW", "headers-too-large", true],
    ["HPE_INVALID_EOF_STATE", "broken", true],
    ["ECONNREFUSED", "broken", true],
    ["EAI_AGAIN", "broken", true],
    ["ENETUNREACH", "broken", false],
    ["ENOTFOUND", "host-not-found", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "issuer", false],
    ["CERT_HAS_EXPIRED", "certificate-time", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-host", false],
    ["CERT_REVOKED", "certificate", false],
    ["EPROTO", "tls", false],
  ] as const)
    it(`names the code ${code} alone, and is possibly applied only if the request was sent`, () => {
      for (const isSent of [true, false]) {
        const fault = faultOf(withCode(code), isSent);
        const message = causeOf(fault);
        assert.deepEqual(fault, {
          failure,
          seen: code,
          isRetryable,
          isPossiblyApplied: mayBeApplied.has(failure) && isSent,
        });
        assert(message.includes(`(${code})`) && !message.includes("s3cret"), message);
      }
    });

  for (const [cause, isRetryable] of [
    [201, false],
    [407, false],
    [502, true],
    ["ECONNREFUSED", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
  ] as const)
    it(`is a failed connection for a proxy without a tunnel: ${cause}`, () => {
      const fault = faultOf(proxyError(cause), true);
      const failure = typeof cause === "number" ? "tunnel-refused" : "no-tunnel";
      assert.deepEqual(fault, { failure, seen: String(cause), isRetryable, isPossiblyApplied: false });
      assert.match(causeOf(fault), new RegExp(`^the proxy opened no tunnel.*${cause}`));
    });

  it("isn't made of an error that isn't the network's", () => {
    const defect = new TypeError("a defect");
    for (const error of [new Error("s3cret"), withCode("ERR_INVALID_ARG_TYPE", defect)])
      assert.equal(toTransportError(error, true), error);
  });
});

describe("the retry policy", () => {
  it("retries 408, 429 and 5xx, except 501 and 505", () => {
    const retried = [408, 429, 500, 503, 599];
    const final = [200, 301, 400, 401, 404, 410, 501, 505];
    assert.deepEqual([...retried, ...final].filter(isRetryableStatus), retried);
  });

  it("pauses for a random part of a ceiling that doubles, up to 10 s, and as long as the service asks for", () => {
    const pauses = [1, 2, 3, 6, 7, 50].map((attempts) => pauseMilliseconds(attempts, undefined, 0.5));
    assert.deepEqual(pauses, [100, 200, 400, 3200, 5000, 5000]);
    const asked = [5000, 50].map((retryAfter) => pauseMilliseconds(1, retryAfter, 0.5));
    assert.deepEqual(asked, [5000, 100]);
  });

  for (const [value, expected] of [
    ["7", 7000],
    ["Tue, 01 Jan 2030 00:00:03 GMT", 3000],
    ["Mon, 31 Dec 2029 00:00:00 GMT", 0],
    ["soon", undefined],
  ] as const)
    it(`reads Retry-After: ${value}`, () => {
      assert.equal(retryAfterMilliseconds(value, Date.parse("2030-01-01T00:00:00Z")), expected);
    });

  it("gives an attempt at most a third of the operation's time, and no more than is left", async () => {
    let milliseconds = 1000;
    const budget = new TimeBudget(6, { now: () => milliseconds });
    for (const expected of [2000, 1000, 0]) {
      assert.equal(budget.attemptMilliseconds, expected);
      const failing = budget.spend(() => {
        milliseconds += 5000;
        return Promise.reject(new Error("it failed"));
      });
      await assert.rejects(failing, { message: "it failed" });
    }
  });
});

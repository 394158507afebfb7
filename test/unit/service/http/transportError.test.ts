import assert from "node:assert/strict";
import {
  proxyError,
  toTransportError,
  TransportError,
} from "../../../../provider/src/service/http/transportError";

function withCode(code: unknown, error = new Error("s3cret")): Error {
  return Object.assign(error, { code });
}

describe("a transport error", () => {
  const faults: [code: string, failure: string, isRetryable: boolean][] = [
    ["ECONNRESET", "broken", true],
    ["ERR_STREAM_PREMATURE_CLOSE", "broken", true],
    ["HPE_INVALID_CONSTANT", "broken", true],
    ["ECONNREFUSED", "broken", true],
    ["EAI_AGAIN", "broken", true],
    ["ENETUNREACH", "broken", false],
    ["ENOTFOUND", "host-not-found", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls", false],
    ["EPROTO", "tls", false],
  ];
  for (const [code, failure, isRetryable] of faults)
    it(`names the code ${code} alone, and is possibly applied only if the request was sent`, () => {
      for (const isSent of [true, false]) {
        const error = toTransportError(withCode(code), isSent);
        assert(error instanceof TransportError);
        const { message, ...fault } = error.fault;
        assert.deepEqual(fault, { failure, isRetryable, isPossiblyApplied: failure === "broken" && isSent });
        assert(message.includes(`(${code})`) && !message.includes("s3cret"), message);
      }
    });

  const refusals: [cause: number | string, isRetryable: boolean][] = [
    [201, false],
    [407, false],
    [502, true],
    ["ECONNREFUSED", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
  ];
  for (const [cause, isRetryable] of refusals)
    it(`is a failed connection for a proxy without a tunnel: ${cause}`, () => {
      const error = toTransportError(proxyError(cause), true);
      assert(error instanceof TransportError);
      const { message, ...fault } = error.fault;
      assert.deepEqual(fault, { failure: "broken", isRetryable, isPossiblyApplied: false });
      assert.match(message, new RegExp(`^the proxy opened no tunnel.*${cause}`));
    });

  it("isn't made of an error that isn't the network's", () => {
    const defects: unknown[] = [
      new Error("s3cret"),
      withCode("ERR_INVALID_ARG_TYPE", new TypeError("a defect")),
      withCode("ERR_OUT_OF_RANGE", new RangeError("a defect")),
    ];
    for (const defect of defects) assert.equal(toTransportError(defect, true), defect);
  });
});

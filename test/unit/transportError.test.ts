import assert from "node:assert/strict";
import { FetchError } from "node-fetch";
import {
  cutOffError,
  statusError,
  toTransportError,
  TransportError,
} from "../../provider/src/transportError";

const inTime = new AbortController().signal;

describe("transport error: what was thrown", () => {
  const again = { isPassing: true };
  const final = { isPassing: false };
  const unsent = { mayHaveBeenCarriedOut: false };
  const sent = { mayHaveBeenCarriedOut: true };
  const faults: [code: string, fault: object][] = [
    ["ECONNRESET", { failure: "broken", ...again, ...sent }],
    ["EPIPE", { failure: "broken", ...again, ...sent }],
    ["ETIMEDOUT", { failure: "broken", ...again, ...sent }],
    ["ERR_STREAM_PREMATURE_CLOSE", { failure: "broken", ...again, ...sent }],
    ["HPE_INVALID_CONSTANT", { failure: "broken", ...again, ...sent }],
    ["ECONNREFUSED", { failure: "broken", ...again, ...unsent }],
    ["EHOSTUNREACH", { failure: "broken", ...again, ...unsent }],
    ["EAI_AGAIN", { failure: "broken", ...again, ...unsent }],
    ["ENETUNREACH", { failure: "broken", ...final, ...unsent }],
    ["ERR_INVALID_URL", { failure: "broken", ...final, ...unsent }],
    ["ENOTFOUND", { failure: "host-not-found", ...final, ...unsent }],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", { failure: "tls", ...final, ...unsent }],
    ["CERT_HAS_EXPIRED", { failure: "tls", ...final, ...unsent }],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { failure: "tls", ...final, ...unsent }],
    ["ERR_TLS_CERT_ALTNAME_INVALID", { failure: "tls", ...final, ...unsent }],
    ["ERR_SSL_WRONG_VERSION_NUMBER", { failure: "tls", ...final, ...unsent }],
    ["EPROTO", { failure: "tls", ...final, ...unsent }],
  ];
  for (const [code, expected] of faults) {
    it(`is told by its code ${code} alone`, () => {
      const { fault } = toTransportError(Object.assign(new Error("s3cret"), { code }), inTime);
      const { message, ...others } = fault;
      assert.deepEqual(others, expected);
      assert(message.includes(`(${code})`) && !message.includes("s3cret"), message);
    });
  }

  it("may have no code", () => {
    for (const error of [
      new Error("s3cret"),
      "s3cret",
      undefined,
      Object.assign(new Error("s3cret"), { code: 7 }),
    ]) {
      const { fault } = toTransportError(error, inTime);
      assert.deepEqual(fault, {
        failure: "broken",
        message: "the connection failed (unknown fault)",
        ...again,
        ...sent,
      });
    }
  });

  it("may be an answer that is too large", () => {
    const { fault } = toTransportError(new FetchError("s3cret", "max-size"), inTime);
    const message = "the answer was larger than 1 MiB";
    assert.deepEqual(fault, { failure: "too-large", message, ...final, ...sent });
  });

  it("is the end of its time where its signal says so", () => {
    const error = Object.assign(new Error("s3cret"), { code: "ECONNRESET" });
    const { fault } = toTransportError(error, AbortSignal.abort());
    const message = "no complete answer came in time";
    assert.deepEqual(fault, { failure: "timed-out", message, ...again, ...sent });
  });

  it("stays as it is where it is told already", () => {
    const told = cutOffError();
    assert.equal(toTransportError(told, AbortSignal.abort()), told);
    assert.deepEqual(told.fault, { failure: "broken", message: "the answer was cut off", ...again, ...sent });
  });
});

describe("transport error: a status", () => {
  it("is told with the seconds that it asks for", () => {
    const { fault, message, attempts } = statusError(503, 1500);
    assert.equal(message, "the service answered with status 503 and asked to wait 2 s");
    assert.deepEqual([fault.failure, fault.isPassing, fault.retryAfterMilliseconds], ["status", true, 1500]);
    assert.equal(attempts, 1);
    assert.match(statusError(503, 3_600_000).message, / 3600 s$/);
  });

  it("is told alone where it asks for no time", () => {
    for (const milliseconds of [undefined, 0])
      assert.equal(statusError(500, milliseconds).message, "the service answered with status 500");
  });

  it("hides whether the request was carried out, less 429, which says that it wasn't", () => {
    for (const status of [408, 500, 502, 503, 504])
      assert.equal(statusError(status, undefined).fault.mayHaveBeenCarriedOut, true);
    assert.equal(statusError(429, undefined).fault.mayHaveBeenCarriedOut, false);
  });
});

describe("transport error: the last of several", () => {
  it("says how many there were", () => {
    const { fault } = cutOffError();
    const error = new TransportError(fault, 3);
    assert.deepEqual([error.fault, error.attempts, error.message], [fault, 3, "the answer was cut off"]);
  });
});

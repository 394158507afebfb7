import assert from "node:assert/strict";
import { FetchError } from "node-fetch";
import * as explain from "../../provider/src/explain";
import {
  cutOffError,
  statusError,
  toTransportError,
  TransportError,
} from "../../provider/src/transportError";
import { baseUrl, create, exchanged, read, remove, url } from "./subjects";

describe("explain: a fault", () => {
  const tooLarge = toTransportError(new FetchError("s3cret", "max-size"), new AbortController().signal);
  const again = "Run the same command again";
  const faults: [fault: TransportError, code: string, cause: string, wayOut: string][] = [
    [
      cutOffError(),
      "connection-failed",
      "the answer was cut off",
      `Check ${baseUrl}, the network and any proxy, then run the same command again.`,
    ],
    [withCode("ENOTFOUND"), "host-not-found", "the host was not found (ENOTFOUND)", `Check ${baseUrl}.`],
    [
      statusError(503, 9e6),
      "unexpected-status",
      "the service answered with status 503 and asked to wait 9000 s",
      `${again} once the service is well.`,
    ],
    [
      toTransportError(undefined, AbortSignal.abort()),
      "timed-out",
      "no complete answer came in time",
      `${again}, or give it more time with user-groups:timeout (or USER_GROUPS_TIMEOUT).`,
    ],
    [
      withCode("CERT_HAS_EXPIRED"),
      "certificate-untrusted",
      "no trusted TLS connection could be made (CERT_HAS_EXPIRED)",
      `Check ${baseUrl}; a certificate authority of your own goes into NODE_EXTRA_CA_CERTS.`,
    ],
    [
      tooLarge,
      "answer-too-large",
      "the answer was larger than 1 MiB",
      `Check ${baseUrl}: this is not an answer of the service.`,
    ],
  ];
  for (const [{ fault }, code, cause, wayOut] of faults) {
    it(`with the code ${code} is told with its way out and the attempts`, () => {
      const { message } = explain.explainFault(new TransportError(fault, 4), exchanged(read).request, read);
      const told = `Cannot read user group "acme": ${cause} (GET ${url}, 4 attempts). ${wayOut} [${code}]`;
      assert.equal(message, told);
    });
  }
});

describe("explain: a create that may have happened", () => {
  const remark = /The group may exist by now; with adopt \(the default\) the next up takes it over\. \[/;
  const flaw = { place: "", reason: "must be an object" };

  it("is told as that", () => {
    assert.match(explain.explainFault(cutOffError(), exchanged(create).request, create).message, remark);
    assert.match(explain.explainFlaw(flaw, exchanged(create)).message, remark);
    assert.match(explain.explainWrongGroup(exchanged(create)).message, remark);
  });

  it("is told of no other operation, and not where nothing was sent", () => {
    assert.doesNotMatch(
      explain.explainFault(cutOffError(), exchanged(remove).request, remove).message,
      remark,
    );
    assert.doesNotMatch(explain.explainFlaw(flaw, exchanged(read)).message, remark);
    const refused = withCode("ECONNREFUSED");
    assert.doesNotMatch(explain.explainFault(refused, exchanged(create).request, create).message, remark);
  });
});

function withCode(code: string): TransportError {
  return toTransportError(Object.assign(new Error("s3cret"), { code }), new AbortController().signal);
}

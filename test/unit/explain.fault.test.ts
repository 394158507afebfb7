import assert from "node:assert/strict";
import * as explain from "../../provider/src/explain";
import {
  cutOffError,
  statusError,
  toTransportError,
  TransportError,
} from "../../provider/src/transportError";
import { baseUrl, create, exchanged, read, remove, url } from "./subjects";

describe("explain: a fault", () => {
  const faults: [fault: TransportError, code: string, cause: string, wayOut: string][] = [
    [
      cutOffError(),
      "connection-failed",
      "the answer was cut off",
      `Check ${baseUrl}, the network and any proxy`,
    ],
    [withCode("ENOTFOUND"), "host-not-found", "the host was not found (ENOTFOUND)", `Check ${baseUrl}.`],
    [statusError(503, 9e6), "unexpected-status", "and asked to wait 9000 s", "once the service is well."],
    [
      toTransportError(undefined, AbortSignal.abort()),
      "timed-out",
      "in time",
      "user-groups:timeout (or USER_GROUPS_TIMEOUT)",
    ],
    [withCode("CERT_HAS_EXPIRED"), "certificate-untrusted", "(CERT_HAS_EXPIRED)", "NODE_EXTRA_CA_CERTS"],
  ];
  for (const [{ fault }, code, cause, wayOut] of faults) {
    it(`with the code ${code} is told with its way out and the attempts`, () => {
      const { request } = exchanged(read);
      const error = explain.explainFault(new TransportError(fault, 4), request, read);
      assert.equal(error.code, code);
      assert.match(error.message, /^Cannot read user group "acme": /);
      assert(error.message.includes(`${cause} (GET ${url}, 4 attempts). `), error.message);
      assert(error.message.includes(wayOut), error.message);
      assert.doesNotMatch(error.message, /s3cret|may exist/);
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

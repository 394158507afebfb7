/** The sample of each error in docs/errors.md is compared as a whole (test/docs/errorSamples.test.ts). */
import assert from "node:assert/strict";
import type { Subject } from "../../../provider/src/errors";
import type { JsonResponse } from "../../../provider/src/service/http/jsonRequest";
import { cutOffError, TransportError } from "../../../provider/src/service/http/transportError";
import {
  invalidResponse,
  requestFailed,
  unsuccessful,
  type Exchange,
} from "../../../provider/src/service/responseErrors";

const url = "https://groups.example/v1/api/user";
const secrets = { name: "s3cret", current_token: "s3cret", properties: { region: "s3cret" } };

const create: Subject = { operation: "create", userGroupId: "acme" };
const read: Subject = { operation: "read", userGroupId: "acme" };
const remove: Subject = { operation: "delete", userGroupId: "acme", connection: "eu" };

function exchange(subject: Subject, response: Partial<JsonResponse> = {}): Exchange {
  const unusual = { unreadable: undefined, redirectsTo: undefined, isPossiblyApplied: false };
  const method = subject.operation === "delete" ? "DELETE" : "GET";
  return {
    subject,
    request: { method, url: new URL(url), authorization: "Token s3cret", body: secrets },
    response: { status: 200, body: secrets, attempts: 1, ...unusual, ...response },
  };
}

describe("the error for a status", () => {
  const redirected = { redirectsTo: "https://elsewhere.example", attempts: 2 };
  const cases: [number, Subject, isRefusal: boolean, text: RegExp, response?: Partial<JsonResponse>][] = [
    [401, create, false, /Check user-groups:apiToken .*\[unauthorized\]$/],
    [403, remove, false, /Check user-groups:eu\.apiToken .*\[unauthorized\]$/],
    [403, remove, true, /Check user-groups:eu\.apiToken .*\[unauthorized\]$/],
    [404, create, false, /Check user-groups:baseUrl .*\[not-found\]$/],
    [410, create, false, /Check user-groups:baseUrl .*\[not-found\]$/],
    [418, read, false, /the health of the service\. \[unexpected-status\]$/],
    [302, create, false, /https:\/\/elsewhere\.example, .*, 2 attempts.*\[redirected\]$/, redirected],
    ...[200, 404, 500].flatMap((status): typeof cases => [
      [status, read, true, /check the group's ID, name, .*\[service-refused\]$/],
      [status, remove, true, /Its token may be stale: .*\[service-refused\]$/],
    ]),
  ];
  for (const [status, subject, isRefusal, text, response] of cases)
    it(`${status} to ${subject.operation}${isRefusal ? " with success 0" : ""} is ${text.source}`, () => {
      const { message } = unsuccessful(exchange(subject, { status, ...response }), isRefusal);
      const method = subject === remove ? "DELETE" : "GET";
      assert(message.includes(`(status ${status} to ${method} ${url}`), message);
      assert.match(message, text);
      assert.doesNotMatch(message, /s3cret/);
    });
});

describe("the error of a create that may have been applied", () => {
  const note = /The group may exist now\. With adopt \(the default\), the next pulumi up adopts it\. \[/;
  const failed = (subject: Subject, error = cutOffError()) =>
    requestFailed(error, exchange(subject).request, subject).message;

  it("says so, that of another operation or of a request that wasn't sent doesn't", () => {
    const unsent = new TransportError({ ...cutOffError().fault, isPossiblyApplied: false });
    const invalid = invalidResponse({ path: "", reason: "must be an object" }, exchange(create)).message;
    for (const message of [failed(create), invalid]) assert.match(message, note);
    for (const message of [failed(remove), failed(create, unsent)]) assert.doesNotMatch(message, note);
  });
});

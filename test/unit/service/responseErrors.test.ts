import assert from "node:assert/strict";
import { FetchError } from "node-fetch";
import type { Subject } from "../../../provider/src/errors";
import type { JsonResponse } from "../../../provider/src/service/http/jsonRequest";
import {
  cancelledError,
  cutOffError,
  statusError,
  toTransportError,
  TransportError,
} from "../../../provider/src/service/http/transportError";
import {
  invalidResponse,
  requestFailed,
  unsuccessful,
  wrongGroup,
  type Exchange,
} from "../../../provider/src/service/responseErrors";

const url = "https://groups.example/v1/api/user";
const baseUrl = "user-groups:baseUrl (or USER_GROUPS_BASE_URL)";
const secrets = { name: "s3cret", current_token: "s3cret", properties: { region: "s3cret" } };

const create: Subject = { operation: "create", userGroupId: "acme" };
const read: Subject = { operation: "read", userGroupId: "acme" };
const remove: Subject = { operation: "delete", userGroupId: "acme", connection: "eu" };

function exchange(subject: Subject, response: Partial<JsonResponse> = {}): Exchange {
  const method = subject.operation === "delete" ? "DELETE" : "GET";
  return {
    subject,
    request: { method, url: new URL(url), authorization: "Token s3cret", body: secrets },
    response: {
      status: 200,
      body: secrets,
      unreadable: undefined,
      redirectsTo: undefined,
      attempts: 1,
      isPossiblyApplied: false,
      ...response,
    },
  };
}

/** `Cannot delete user group "acme" (connection "eu")`, and the request. */
function words(subject: Subject): [cannot: string, request: string] {
  const connection = subject.connection === undefined ? "" : ` (connection "${subject.connection}")`;
  return [
    `Cannot ${subject.operation} user group "acme"${connection}`,
    `${subject === remove ? "DELETE" : "GET"} ${url}`,
  ];
}

describe("the error for a status", () => {
  const token = "the API token was not accepted";
  const nothing = "nothing was found at this address";
  const refused = "the service refused (success 0)";
  const unknown = "the service returned a status that its contract doesn't define";
  const stale = "Its token may be stale: run pulumi refresh and try again, or pulumi destroy --refresh.";
  const noReason = "The service gives no reason: check the group's ID, name, mapping and properties.";
  const ofEu = "Check user-groups:eu.apiToken (or USER_GROUPS_EU_API_TOKEN).";
  const cases: [number, Subject, isRefusal: boolean, code: string, cause: string, remedy: string][] = [
    [401, create, false, "unauthorized", token, "Check user-groups:apiToken (or USER_GROUPS_API_TOKEN)."],
    [403, remove, false, "unauthorized", token, ofEu],
    [403, remove, true, "unauthorized", token, ofEu],
    [404, create, false, "not-found", nothing, `Check ${baseUrl}.`],
    [410, create, false, "not-found", nothing, `Check ${baseUrl}.`],
    [418, read, false, "unexpected-status", unknown, `Check ${baseUrl}, and the health of the service.`],
    ...[200, 400, 404, 500].flatMap((status): typeof cases => [
      [status, read, true, "service-refused", refused, noReason],
      [status, remove, true, "service-refused", refused, stale],
    ]),
  ];
  for (const [status, subject, isRefusal, code, cause, remedy] of cases)
    it(`${status} to ${subject.operation}${isRefusal ? " with success 0" : ""} is ${code}, with its remedy`, () => {
      const [cannot, request] = words(subject);
      const { message } = unsuccessful(exchange(subject, { status }), isRefusal);
      assert.equal(message, `${cannot}: ${cause} (status ${status} to ${request}). ${remedy} [${code}]`);
    });

  it("of a redirect names its origin and the attempts", () => {
    const response = { status: 302, redirectsTo: "https://elsewhere.example", attempts: 2 };
    assert.equal(
      unsuccessful(exchange(create, response), false).message,
      'Cannot create user group "acme": the service redirected to https://elsewhere.example, and redirects are not ' +
        `followed (status 302 to GET ${url}, 2 attempts). Set ${baseUrl} to the service's own address. [redirected]`,
    );
  });
});

describe("the error for a failed request", () => {
  const again = "Run the same command again";
  const cases: [error: unknown, code: string, cause: string, remedy: string][] = [
    [
      cutOffError(),
      "connection-failed",
      "the response was cut off",
      `Check ${baseUrl}, the network and any proxy, then run the same command again.`,
    ],
    [withCode("ENOTFOUND"), "host-not-found", "the host was not found (ENOTFOUND)", `Check ${baseUrl}.`],
    [
      statusError(503, 9e6),
      "unexpected-status",
      "the service returned status 503 and asked for a pause of 9000 s",
      `${again} when the service is healthy.`,
    ],
    [
      toTransportError(undefined, { isTimedOut: true, isSent: true }),
      "timed-out",
      "no complete response came in time",
      `${again}, or raise user-groups:timeout (or USER_GROUPS_TIMEOUT).`,
    ],
    [
      withCode("CERT_HAS_EXPIRED"),
      "certificate-untrusted",
      "no trusted TLS connection was possible (CERT_HAS_EXPIRED)",
      `Check ${baseUrl}. For your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
    ],
    [
      toTransportError(new FetchError("s3cret", "max-size"), { isTimedOut: false, isSent: true }),
      "response-too-large",
      "the response was larger than 1 MiB",
      `Check ${baseUrl}: the service's own responses are small.`,
    ],
    [cancelledError(), "cancelled", "the operation was cancelled", `${again} to do the rest.`],
  ];
  for (const [error, code, cause, remedy] of cases)
    it(`is ${code}, with its remedy and the attempts`, () => {
      assert(error instanceof TransportError);
      const { message } = requestFailed(new TransportError(error.fault, 4), exchange(read).request, read);
      assert.equal(
        message,
        `Cannot read user group "acme": ${cause} (GET ${url}, 4 attempts). ${remedy} [${code}]`,
      );
    });
});

describe("the error for an invalid response", () => {
  it("names the place, and nothing of the response", () => {
    const issue = { path: "user_group.token", reason: "must be a string" };
    assert.equal(
      invalidResponse(issue, exchange(read)).message,
      `Cannot read user group "acme": the response's user_group.token must be a string (GET ${url}). Check that ` +
        `${baseUrl} is the address of the service's API. Nothing was recorded. [response-invalid]`,
    );
  });

  it("names the body without a place, or says why it isn't JSON", () => {
    const issue = { path: "", reason: "must be an object" };
    assert.match(
      invalidResponse(issue, exchange(create)).message,
      /: the response's body must be an object \(/,
    );
    const { message } = invalidResponse(
      issue,
      exchange(create, { body: undefined, unreadable: "is not JSON" }),
    );
    assert.match(message, /: the response body is not JSON \(/);
  });

  it("about another group has neither its ID nor its token", () => {
    const { code, message } = wrongGroup(exchange(create));
    assert.equal(code, "wrong-group");
    assert.match(message, /^Cannot create user group "acme": the response is for another group: /);
    assert.match(
      message,
      / Nothing was recorded\. Look for a cache between Pulumi and the service, or report this to /,
    );
    assert.doesNotMatch(message, /s3cret/);
  });
});

describe("the error of a create that may have been applied", () => {
  const remark = /The group may exist now\. With adopt \(the default\), the next pulumi up adopts it\. \[/;
  const issue = { path: "", reason: "must be an object" };

  it("says so", () => {
    assert.match(requestFailed(cutOffError(), exchange(create).request, create).message, remark);
    assert.match(invalidResponse(issue, exchange(create)).message, remark);
    assert.match(wrongGroup(exchange(create)).message, remark);
  });

  it("is that of a create only, and only if something was sent", () => {
    assert.doesNotMatch(requestFailed(cutOffError(), exchange(remove).request, remove).message, remark);
    assert.doesNotMatch(invalidResponse(issue, exchange(read)).message, remark);
    const unsent = withCode("ECONNREFUSED");
    assert(unsent instanceof TransportError);
    assert.doesNotMatch(requestFailed(unsent, exchange(create).request, create).message, remark);
  });
});

function withCode(code: string): unknown {
  return toTransportError(Object.assign(new Error("s3cret"), { code }), { isTimedOut: false, isSent: false });
}

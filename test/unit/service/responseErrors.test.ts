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
  type Exchange,
} from "../../../provider/src/service/responseErrors";

const url = "https://groups.example/v1/api/user";
const baseUrl = "user-groups:baseUrl (or USER_GROUPS_BASE_URL)";
const secrets = { name: "s3cret", current_token: "s3cret", properties: { region: "s3cret" } };

const create: Subject = { operation: "create", userGroupId: "acme" };
const read: Subject = { operation: "read", userGroupId: "acme" };
const remove: Subject = { operation: "delete", userGroupId: "acme", connection: "eu" };

function exchange(subject: Subject, response: Partial<JsonResponse> = {}): Exchange {
  const unusual = { unreadable: undefined, redirectsTo: undefined, isPossiblyApplied: false };
  return {
    subject,
    request: {
      method: subject.operation === "delete" ? "DELETE" : "GET",
      url: new URL(url),
      authorization: "Token s3cret",
      body: secrets,
    },
    response: { status: 200, body: secrets, attempts: 1, ...unusual, ...response },
  };
}

describe("the error for a status", () => {
  const token = "the API token was not accepted";
  const nothing = "nothing was found at this address";
  const refused = "the service refused (success 0)";
  const unknown = "the service returned a status that its contract doesn't define";
  const stale = "Its token may be stale: run pulumi refresh and try again, or pulumi destroy --refresh.";
  const noReason = "The service gives no reason: check the group's ID, name, mapping and properties.";
  const emulator = "A restarted emulator prints a new one.";
  const ofEu = `Check user-groups:eu.apiToken (or USER_GROUPS_EU_API_TOKEN). ${emulator}`;
  const cases: [number, Subject, isRefusal: boolean, code: string, cause: string, remedy: string][] = [
    [
      401,
      create,
      false,
      "unauthorized",
      token,
      `Check user-groups:apiToken (or USER_GROUPS_API_TOKEN). ${emulator}`,
    ],
    [403, remove, false, "unauthorized", token, ofEu],
    [403, remove, true, "unauthorized", token, ofEu],
    [404, create, false, "not-found", nothing, `Check ${baseUrl}.`],
    [410, create, false, "not-found", nothing, `Check ${baseUrl}.`],
    [418, read, false, "unexpected-status", unknown, `Check ${baseUrl}, and the health of the service.`],
    ...[200, 404, 500].flatMap((status): typeof cases => [
      [status, read, true, "service-refused", refused, noReason],
      [status, remove, true, "service-refused", refused, stale],
    ]),
  ];
  for (const [status, subject, isRefusal, code, cause, remedy] of cases)
    it(`${status} to ${subject.operation}${isRefusal ? " with success 0" : ""} is ${code}, with its remedy`, () => {
      const { message } = unsuccessful(exchange(subject, { status }), isRefusal);
      const [connection, method] = subject === remove ? [' (connection "eu")', "DELETE"] : ["", "GET"];
      const context = `(status ${status} to ${method} ${url})`;
      const cannot = `Cannot ${subject.operation} user group "acme"${connection}`;
      assert.equal(message, `${cannot}: ${cause} ${context}. ${remedy} [${code}]`);
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

const issue = { path: "", reason: "must be an object" };

describe("the error for an unusable response", () => {
  const address = `Check that ${baseUrl} is the address of the service's API. Nothing was recorded.`;
  const ofToken = { path: "user_group.token", reason: "must be a string" };
  const noJson = exchange(read, { body: undefined, unreadable: "is not JSON" });
  for (const [{ message }, cause, remedy] of [
    [invalidResponse(ofToken, exchange(read)), "the response's user_group.token must be a string", address],
    [invalidResponse(issue, exchange(read)), "the response's body must be an object", address],
    [invalidResponse(issue, noJson), "the response body is not JSON", address],
  ] as const)
    it(`says that ${cause}, and shows nothing of the response`, () => {
      assert.equal(
        message,
        `Cannot read user group "acme": ${cause} (GET ${url}). ${remedy} [response-invalid]`,
      );
    });
});

describe("the error of a create that may have been applied", () => {
  const note = /The group may exist now\. With adopt \(the default\), the next pulumi up adopts it\. \[/;

  it("says so", () => {
    assert.match(requestFailed(cutOffError(), exchange(create).request, create).message, note);
    assert.match(invalidResponse(issue, exchange(create)).message, note);
  });

  it("is that of a create only, and only if something was sent", () => {
    assert.doesNotMatch(requestFailed(cutOffError(), exchange(remove).request, remove).message, note);
    const unsent = withCode("ECONNREFUSED");
    assert(unsent instanceof TransportError);
    assert.doesNotMatch(requestFailed(unsent, exchange(create).request, create).message, note);
  });
});

function withCode(code: string): unknown {
  return toTransportError(Object.assign(new Error("s3cret"), { code }), { isTimedOut: false, isSent: false });
}

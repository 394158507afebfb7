/**
 * Failed requests and unusable responses → user-facing errors. Of a response, they contain only its reason, without the secrets that
 * the operation knows.
 */
import {
  cannot,
  ofOneRequest,
  type Cause,
  type ErrorCode,
  type Subject,
  type UserGroupError,
} from "../errors";
import { settingName } from "../settings/readSettings";
import { differenceInSpelling, quoted, quotedInAscii } from "../text";
import type { ValidationIssue } from "../validation";
import { isObject, own } from "../values";
import { isRefusal } from "./contract";
import type { JsonRequest } from "./http/attempt";
import type { JsonResponse } from "./http/jsonRequest";
import type { Failure, ResponseBody, TransportError } from "./http/transportError";
import { reasonIn } from "./reason";
import type { Secrets } from "./secrets";

/** A request, with its final response if there is one. */
export interface Exchange extends Partial<JsonResponse> {
  readonly request: JsonRequest;
  readonly subject: Subject;
  readonly secrets: Secrets;
}

export function requestFailed({ fault, attempts }: TransportError, sent: Exchange): UserGroupError {
  const { subject } = sent;
  const [code, remedy] = { ...problemsOfTls(subject), ...problemsOfHttp(subject) }[fault.failure];
  const { isPossiblyApplied, response } = fault;
  const exchange = { ...sent, ...response, attempts, isPossiblyApplied };
  const issue = response && bodyIssue(response, sent.secrets);
  const { message, detail = "" } = fault;
  const { text, key } = issue === undefined ? saidBy(exchange) : sameForAll(`, and its body ${issue}`);
  const origin = issue === undefined ? "" : " Something between Pulumi and the service probably sent it.";
  const note = isPossiblyApplied ? effectNote(subject) : "";
  return failure(exchange, code, message, remedy + origin + note, { text: detail + text, key });
}

type Problem = readonly [ErrorCode, remedy: string];

type FailureOfTls =
  | "certificate"
  | "certificate-host"
  | "certificate-time"
  | "handshake"
  | "identity"
  | "issuer"
  | "tls"
  | "tls-version";

function problemsOfTls(subject: Subject): Record<FailureOfTls, Problem> {
  const check = `Check ${settingName("baseUrl", subject)}`;
  const identity = `Check ${settingName("clientCertificate", subject)}`;
  const untrusted = (remedy: string): Problem => ["certificate-untrusted", remedy];
  return {
    certificate: untrusted(`${check}, and the certificate of the service.`),
    "certificate-host": untrusted(`${check}: the certificate is for another host.`),
    "certificate-time": untrusted(
      "Let the service renew its certificate, or correct the clock of this machine.",
    ),
    handshake: untrusted(
      `${identity}, which the service may demand, and the TLS ciphers that the service accepts.`,
    ),
    identity: untrusted(`${identity}: the service may demand one, or not accept this one.`),
    issuer: untrusted(`${check}. For your own certificate authority, set NODE_EXTRA_CA_CERTS.`),
    tls: ["connection-failed", `${check}, ${andBetween}`],
    "tls-version": ["connection-failed", "Let the service accept TLS 1.2 or 1.3."],
  };
}

const andBetween = "and everything between Pulumi and the service.";

function problemsOfHttp(subject: Subject): Record<Exclude<Failure, FailureOfTls>, Problem> {
  const check = `Check ${settingName("baseUrl", subject)}`;
  const headers =
    "Set NODE_OPTIONS=--max-http-header-size=65536, or let the service send smaller headers, then run the same command again.";
  const proxy = "Set https_proxy to the URL of an http proxy, or add the host of the service to no_proxy.";
  const timeout = `Run the same command again, or raise ${settingName("timeout", subject)}.`;
  return {
    cancelled: ["cancelled", "Run the same command again to do the rest."],
    broken: ["connection-failed", `${check}, the network and any proxy, then run the same command again.`],
    "headers-too-large": ["response-invalid", headers],
    "host-not-found": ["host-not-found", `${check}.`],
    "no-tls": ["connection-failed", `${check}: its scheme and its port.`],
    "not-http": ["response-invalid", `${check}, ${andBetween}`],
    proxy: ["connection-failed", proxy],
    "rate-limited": ["unexpected-status", slower(subject)],
    status: ["unexpected-status", "Run the same command again when the service is healthy."],
    "timed-out": ["timed-out", timeout],
    "too-large": ["response-invalid", `${check}: the service's own responses are small.`],
  };
}

function slower(subject: Subject): string {
  return `Set ${settingName("requestsPerSecond", subject)} to what the service allows, then run the same command again.`;
}

/** The error of a response with `success` 0 or with a status other than 2xx. Only the service's own refusal says that nothing was done. */
export function unsuccessful(received: Exchange): UserGroupError {
  const exchange = isRefusal(received.body) ? received : { ...received, isPossiblyApplied: true };
  const { subject, status, redirectsTo, body } = exchange;
  const baseUrl = settingName("baseUrl", subject);
  const said = saidBy(exchange);
  // A 404 is about the address, whatever its body: a wrong path of a server may have a refusal as its body.
  if (status === 404 || status === 410) {
    const remedy = `Check ${baseUrl}: it is the address without /api/user.`;
    return failure(exchange, "not-found", "nothing was found at this address", remedy, said);
  }
  if (redirectsTo !== undefined) {
    const target = shownOrigin(redirectsTo, exchange.secrets);
    const cause = `the service redirected to ${target}, and redirects are not followed`;
    return failure(exchange, "redirected", cause, `Set ${baseUrl} to the service's own address.`);
  }
  const issue = bodyIssue(exchange, exchange.secrets);
  if (isTooFast(exchange)) {
    const code = isRefusal(body) ? "service-refused" : "unexpected-status";
    return failure(exchange, code, "the service limits requests", slower(subject), said);
  }
  const ofStatus = isRefusal(body) ? undefined : own(statusProblems, String(status))?.(exchange);
  if (ofStatus !== undefined) {
    const ending = issue === undefined ? said : sameForAll(`, and the response body ${issue}`);
    const error = failure(exchange, "unexpected-status", ofStatus.cause, ofStatus.remedy, ending);
    return tooLargeStatuses.has(status) ? ofOneRequest(error) : error;
  }
  if (issue !== undefined) return refusedInBetween(exchange, issue);
  const reason = said.text === "" ? sameForAll(", and the response has no reason") : said;
  if (status === 401 || status === 403) return unauthorized(exchange, reason);
  if (isRefusal(body)) {
    const remedy =
      subject.operation === "delete"
        ? "Its token may be stale: run pulumi refresh, then run the same command again."
        : "Check the group's ID, name, mapping and properties.";
    return failure(exchange, "service-refused", "the service refused (success 0)", remedy, reason);
  }
  const cause = "the service returned a status that its contract doesn't define";
  const remedy = `Check ${baseUrl}, and the health of the service.`;
  return failure(exchange, "unexpected-status", cause, remedy, reason);
}

/** Some services limit requests by 403, or by a refusal, instead of 429. */
function isTooFast({ body, status, asksForPause, secrets }: Exchange): boolean {
  if (status !== 403 && !isRefusal(body)) return false;
  const limit = /\b(?:rate.?limit|too many requests|throttl)/i;
  return asksForPause === true || limit.test(reasonIn(body, secrets) ?? "");
}

function unauthorized(exchange: Exchange, reason: Cause): UserGroupError {
  const { subject, status } = exchange;
  const check = `Check ${settingName("apiToken", subject)}`;
  if (status === 401) {
    const remedy = `${check}.${ofLastUp(subject)}`;
    return failure(exchange, "unauthorized", "the API token was not accepted", remedy, reason);
  }
  const remedy = `${check} and its permissions.${ofLastUp(subject)}`;
  return failure(exchange, "unauthorized", "the request was not permitted", remedy, reason);
}

/** A new API token in the configuration has no effect on these commands. */
function ofLastUp(subject: Subject): string {
  if (subject.operation !== "read" && subject.operation !== "delete") return "";
  return " pulumi refresh and pulumi destroy use the configuration of the last up, so set the variable for them.";
}

/** Statuses that name their cause, which is usually a limit of a gateway. */
const statusProblems: Readonly<Record<string, (exchange: Exchange) => { cause: string; remedy: string }>> = {
  405: ({ request, subject }) => ({
    cause: `the method ${request.method} was refused`,
    remedy: `Let everything between Pulumi and the service pass on GET with a body, and DELETE. Otherwise check ${settingName("baseUrl", subject)}.`,
  }),
  411: () => ({
    cause: "the length of the body was missing",
    remedy:
      "The request has it, so let everything between Pulumi and the service pass on its header Content-Length.",
  }),
  413: ({ request }) => ({
    cause: `the request is too large: ${sizesOf(request.body)}`,
    remedy: "Shorten these values, or raise the limit of the service or of a gateway.",
  }),
  414: ({ subject }) => ({
    cause: "the URL is too long",
    remedy: `Shorten ${settingName("baseUrl", subject)}, or raise the limit of a gateway.`,
  }),
  431: ({ subject }) => ({
    cause: "the headers are too large",
    remedy: `Shorten ${settingName("headers", subject)}, or raise the limit of a gateway.`,
  }),
};

/** Of the body, the URL and the headers. */
const tooLargeStatuses: ReadonlySet<number | undefined> = new Set([413, 414, 431]);

/** `properties has 20480 bytes`, with each part of a body that has a tenth of it or more. */
function sizesOf(body: object): string {
  const sizes = Object.entries(body).map(([name, value]) => {
    return { name, bytes: value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)) };
  });
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const large = sizes.filter(({ bytes }) => bytes * 10 >= all);
  return large.map(({ name, bytes }) => `${name} has ${bytes} bytes`).join(", ");
}

/** The error of a status other than 2xx with a body that isn't the service's. */
function refusedInBetween(exchange: Exchange, issue: string): UserGroupError {
  const { subject, status, request } = exchange;
  const isUnauthorized = status === 401 || status === 403;
  const cause = `the request was refused, and the response body ${issue}`;
  const names = (["headers", "clientCertificate"] as const).map((name) => settingName(name, subject));
  const remedy =
    `Something between Pulumi and the service probably sent it, such as a firewall or a CDN. It may refuse a ${request.method} with a ` +
    `body, which the service requires, or demand a header or a client certificate: ${names.join(", ")}. ` +
    `Otherwise check ${settingName(isUnauthorized ? "apiToken" : "baseUrl", subject)}.`;
  return failure(exchange, isUnauthorized ? "unauthorized" : "unexpected-status", cause, remedy);
}

/** `: "quota exceeded"`, or empty if the response has no reason. Reasons that differ in the group's ID only are one cause. */
function saidBy({ body, request, secrets, subject }: Exchange): Cause {
  const reason = reasonIn(body, secrets);
  if (reason === undefined) return sameForAll("");
  const { user_group_id: idInService }: { user_group_id?: unknown } = request.body;
  // An ID in the service may begin with that of the customer.
  const ids = [String(idInService), subject.userGroupId].map((id) => quoted(id, Infinity).slice(1, -1));
  const key = ids.reduce((rest, id) => rest.replaceAll(id, ""), reason);
  return { text: `: ${reason}`, key: `: ${key}` };
}

function sameForAll(text: string): Cause {
  return { text, key: text };
}

/** Why a body isn't the service's, as the end of a sentence; undefined for a JSON object and for no body. */
function bodyIssue(
  { body, isEmpty, undecoded, issue }: Partial<ResponseBody>,
  secrets: Secrets,
): string | undefined {
  if (undecoded !== undefined)
    return `can't be decoded from the content-encoding ${quoted(secrets.redact(undecoded))}`;
  if (isEmpty !== false || isObject(body)) return undefined;
  return issue ?? "is not a JSON object";
}

/** An origin that the service chose may be long or contain a secret, so long parts are omitted. A URL has its host in lower case. */
function shownOrigin(origin: string, secrets: Secrets): string {
  if (secrets.isIn(origin)) return "another address";
  const shown = origin.replace(/[^./:\s]{21,}/g, "…");
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}

export function invalidResponse({ path, reason }: ValidationIssue, exchange: Exchange): UserGroupError {
  const { subject, isEmpty, secrets } = exchange;
  const issue = isEmpty ? "is empty" : bodyIssue(exchange, secrets);
  const ofValue = `the response's ${path || "body"} ${reason}`;
  const cause = issue === undefined ? ofValue : `the response body ${issue}`;
  const check = `Check that ${settingName("baseUrl", subject)} is the address of the service's API.`;
  const remedy = `${check} Nothing was recorded.${effectNote(subject)}`;
  return failure(
    { ...exchange, isPossiblyApplied: true },
    "response-invalid",
    cause,
    remedy,
    saidBy(exchange),
  );
}

/** The error of a response for another group than that of the request. `isNew`: the request created it. */
export function wrongGroup(
  exchange: Exchange,
  isNew: boolean,
  sent: string,
  returned: string,
): UserGroupError {
  const difference = differenceInSpelling(sent, returned);
  const alike = {
    text: `${quotedInAscii(returned)}, which differs from ${quotedInAscii(sent)} in ${difference}`,
    key: `like that of the request, but for ${difference}`,
  };
  const said = difference === undefined ? sameForAll("not the ID of the request") : alike;
  const created = isNew ? ", but the service says that it created a group" : "";
  const remedy =
    difference === undefined
      ? "Look for a cache between Pulumi and the service."
      : "Use the service's spelling in the userGroupId, and the next pulumi up adopts the group.";
  return failure(
    { ...exchange, isPossiblyApplied: true },
    "wrong-group",
    "the response is for another group: its user_group.provided_id is ",
    `Nothing was recorded${created}. ${remedy}`,
    said,
  );
}

/** `said` follows the cause. */
function failure(
  exchange: Exchange,
  code: ErrorCode,
  cause: string,
  remedy: string,
  said = sameForAll(""),
): UserGroupError {
  const { subject, status, attempts = 1, isPossiblyApplied = false } = exchange;
  const { method, service } = exchange.request;

  const response = status ? `status ${status} to ` : "";
  const request = `${response}${method} ${service.url.href}`;
  const text = `${cause}${said.text} (${request}${attempts > 1 ? `, ${attempts} attempts` : ""})`;
  const key = `${cause}${said.key} (${request})`;
  return cannot(subject, code, { text, key }, remedy, isPossiblyApplied);
}

/** What a request may have done although its response is missing or can't be read. */
function effectNote({ operation }: Subject): string {
  switch (operation) {
    case "create":
      return " The group may exist now; the next pulumi up finds it. Run it before you take the change back.";
    case "update":
      return " The service may have the new values now; the next pulumi up requests the group again.";
    case "delete":
      return " The group may be gone now, so run pulumi refresh before you take the change back.";
    case "read":
      return "";
  }
}

/**
 * Failed requests and unusable responses → user-facing errors. Of a response, they contain only its reason, without the secrets that
 * the operation knows.
 */
import { cannot, ofOneRequest, type Cause, type Subject, type UserGroupError } from "../errors";
import type { ErrorCode } from "../messages/catalogue";
import { message, note, sentences, type Message } from "../messages/message";
import { settingName, type SettingName } from "../settings/readSettings";
import { differenceInSpelling, quoted, quotedInAscii } from "../text";
import type { ValidationIssue } from "../validation";
import { isObject } from "../values";
import { isRefusal } from "./contract";
import type { JsonRequest } from "./http/attempt";
import type { JsonResponse } from "./http/jsonRequest";
import type { ResponseBody, TransportError } from "./http/transportError";
import { reasonIn } from "./reason";
import type { Secrets } from "./secrets";

/** A request, with its final response if there is one. */
export interface Exchange extends Partial<JsonResponse> {
  readonly request: JsonRequest;
  readonly subject: Subject;
  readonly secrets: Secrets;
}

export function requestFailed(
  { fault, attempts, message: cause }: TransportError,
  sent: Exchange,
): UserGroupError {
  const { subject } = sent;
  const { isPossiblyApplied, response, failure, seen, detail = "" } = fault;
  const exchange = { ...sent, ...response, attempts, isPossiblyApplied };
  const issue = response && bodyIssue(response, sent.secrets);
  const said = message(failure, { seen, ...settingsNamedIn(subject) });
  const { text, key } = issue === undefined ? saidBy(exchange) : sameForAll(`, and its body ${issue}`);
  const remedy = sentences(
    said.remedy,
    issue !== undefined && note("sent-in-between"),
    isPossiblyApplied && effectNote(subject),
  );
  return failureOf(exchange, { ...said, cause, remedy }, { text: detail + text, key });
}

/** As messages name the settings. */
function settingsNamedIn(subject: Subject) {
  const nameIn = (name: SettingName) => settingName(name, subject);
  return {
    apiToken: nameIn("apiToken"),
    baseUrl: nameIn("baseUrl"),
    clientCertificate: nameIn("clientCertificate"),
    headers: nameIn("headers"),
    requestsPerSecond: nameIn("requestsPerSecond"),
    timeout: nameIn("timeout"),
  };
}

/** The error of a response with `success` 0 or with a status other than 2xx. Only the service's own refusal says that nothing was done. */
export function unsuccessful(received: Exchange): UserGroupError {
  const exchange = isRefusal(received.body) ? received : { ...received, isPossiblyApplied: true };
  const { subject, status, redirectsTo, body } = exchange;
  const names = settingsNamedIn(subject);
  const said = saidBy(exchange);
  // A 404 is about the address, whatever its body: a wrong path of a server may have a refusal as its body.
  if (status === 404 || status === 410) return failureOf(exchange, message("address-not-found", names), said);
  if (redirectsTo !== undefined) {
    const target = shownOrigin(redirectsTo, exchange.secrets);
    return failureOf(exchange, message("redirects-elsewhere", { ...names, target }));
  }
  const issue = bodyIssue(exchange, exchange.secrets);
  if (isTooFast(exchange))
    return failureOf(exchange, message(isRefusal(body) ? "rate-limit-refused" : "rate-limit", names), said);
  const ofStatus = isRefusal(body) ? undefined : statusMessage(exchange);
  if (ofStatus !== undefined) {
    const ending = issue === undefined ? said : sameForAll(`, and the response body ${issue}`);
    const error = failureOf(exchange, ofStatus, ending);
    return tooLargeStatuses.has(status) ? ofOneRequest(error) : error;
  }
  if (issue !== undefined) return refusedInBetween(exchange, issue);
  const reason = said.text === "" ? sameForAll(", and the response has no reason") : said;
  if (status === 401 || status === 403) return unauthorized(exchange, reason);
  if (isRefusal(body)) {
    const text = subject.operation === "delete" ? "deletion-refused" : "service-refused";
    return failureOf(exchange, message(text), reason);
  }
  return failureOf(exchange, message("undocumented-status", names), reason);
}

/** Some services limit requests by 403, or by a refusal, instead of 429. */
function isTooFast({ body, status, asksForPause, secrets }: Exchange): boolean {
  if (status !== 403 && !isRefusal(body)) return false;
  const limit = /\b(?:rate.?limit|too many requests|throttl)/i;
  return asksForPause === true || limit.test(reasonIn(body, secrets) ?? "");
}

function unauthorized(exchange: Exchange, reason: Cause): UserGroupError {
  const { subject, status } = exchange;
  const said = message(status === 401 ? "not-accepted" : "not-permitted", settingsNamedIn(subject));
  const { operation } = subject;
  // A new API token in the configuration has no effect on these commands.
  const ofLastUp = (operation === "read" || operation === "delete") && note("settings-of-last-up");
  return failureOf(exchange, { ...said, remedy: sentences(said.remedy, ofLastUp) }, reason);
}

/** Of statuses that name their cause, which is usually a limit of a gateway. */
function statusMessage({ status, request, subject }: Exchange): Message<ErrorCode> | undefined {
  const names = settingsNamedIn(subject);
  switch (status) {
    case 405:
      return message("status-405", { ...names, method: request.method });
    case 411:
      return message("status-411");
    case 413:
      return message("status-413", { sizes: sizesOf(request.body) });
    case 414:
      return message("status-414", names);
    case 431:
      return message("status-431", names);
    default:
      return undefined;
  }
}

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
  const names = settingsNamedIn(subject);
  const identity = `${names.headers}, ${names.clientCertificate}`;
  const text = status === 401 || status === 403 ? "not-permitted-in-between" : "refused-in-between";
  return failureOf(exchange, message(text, { ...names, issue, identity, method: request.method }));
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
  const what = issue === undefined ? `response's ${path || "body"} ${reason}` : `response body ${issue}`;
  const said = message("invalid-response", { ...settingsNamedIn(subject), what });
  const remedy = sentences(said.remedy, effectNote(subject));
  return failureOf({ ...exchange, isPossiblyApplied: true }, { ...said, remedy }, saidBy(exchange));
}

/** The error of a response for another group than that of the request. `isNew`: the request created it. */
export function wrongGroup(
  exchange: Exchange,
  isNew: boolean,
  sent: string,
  returned: string,
): UserGroupError {
  const difference = differenceInSpelling(sent, returned);
  const created = isNew ? ", but the service says that it created a group" : "";
  const applied = { ...exchange, isPossiblyApplied: true };
  if (difference === undefined)
    return failureOf(
      applied,
      message("response-for-other-group", { returned: "not the ID of the request", created }),
    );
  const said = message("response-for-other-spelling", { returned: "", created });
  return failureOf(applied, said, {
    text: `${quotedInAscii(returned)}, which differs from ${quotedInAscii(sent)} in ${difference}`,
    key: `like that of the request, but for ${difference}`,
  });
}

/** `detail` follows the cause. */
function failureOf(
  exchange: Exchange,
  { code, cause, remedy }: Message<ErrorCode>,
  detail = sameForAll(""),
): UserGroupError {
  const { subject, status, attempts = 1, isPossiblyApplied = false } = exchange;
  const { method, service } = exchange.request;

  const response = status ? `status ${status} to ` : "";
  const request = `${response}${method} ${service.url.href}`;
  const text = `${cause}${detail.text} (${request}${attempts > 1 ? `, ${attempts} attempts` : ""})`;
  const key = `${cause}${detail.key} (${request})`;
  return cannot(subject, { code, cause: { text, key }, remedy }, isPossiblyApplied);
}

/** What a request may have done although its response is missing or can't be read. */
function effectNote({ operation }: Subject): string {
  switch (operation) {
    case "create":
      return note("group-may-exist");
    case "update":
      return note("values-may-be-stored");
    case "delete":
      return note("group-may-be-gone");
    case "read":
      return "";
  }
}

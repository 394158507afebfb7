/** Failed requests and unusable responses → user-facing errors. They contain no part of a response. */
import { cannot, type ErrorCode, type Subject, type UserGroupError } from "../errors";
import { settingName } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import { isRefusal, tokenOf } from "./contract";
import type { JsonRequest } from "./http/attempt";
import type { JsonResponse } from "./http/jsonRequest";
import type { TransportFault, TransportError } from "./http/transportError";

/** A request, with its final response if there is one. */
export interface Exchange extends Partial<JsonResponse> {
  readonly request: JsonRequest;
  readonly subject: Subject;
}

export function requestFailed({ fault, attempts }: TransportError, sent: Exchange): UserGroupError {
  const { subject } = sent;
  const check = `Check ${settingName("baseUrl", subject)}`;
  const problems: Record<TransportFault["failure"], [ErrorCode, remedy: string]> = {
    cancelled: ["cancelled", "Run the same command again to do the rest."],
    broken: ["connection-failed", `${check}, the network and any proxy, then run the same command again.`],
    "host-not-found": ["host-not-found", `${check}.`],
    status: ["unexpected-status", "Run the same command again when the service is healthy."],
    "timed-out": ["timed-out", `Run the same command again, or raise ${settingName("timeout", subject)}.`],
    tls: ["certificate-untrusted", `${check}. For your own certificate authority, set NODE_EXTRA_CA_CERTS.`],
    "too-large": ["response-too-large", `${check}: the service's own responses are small.`],
  };
  const [code, remedy] = problems[fault.failure];
  const { isPossiblyApplied } = fault;
  const note = isPossiblyApplied ? effectNote(subject) : "";
  return failure({ ...sent, attempts, isPossiblyApplied }, code, fault.message, remedy + note);
}

/** The error of a response with `success` 0 or with a status other than 2xx. */
export function unsuccessful(exchange: Exchange): UserGroupError {
  const { subject, status, redirectsTo, body } = exchange;
  const baseUrl = settingName("baseUrl", subject);
  if (status === 401 || status === 403) {
    const remedy = `Check ${settingName("apiToken", subject)}. A restarted emulator prints a new one.`;
    return failure(exchange, "unauthorized", "the API token was not accepted", remedy);
  }
  if (isRefusal(body)) {
    const remedy =
      subject.operation === "delete"
        ? "Its token may be stale: run pulumi refresh, then run the same command again."
        : "The service gives no reason: check the group's ID, name, mapping and properties.";
    return failure(exchange, "service-refused", "the service refused (success 0)", remedy);
  }
  if (redirectsTo !== undefined) {
    const target = shownOrigin(redirectsTo, exchange.request);
    const cause = `the service redirected to ${target}, and redirects are not followed`;
    return failure(exchange, "redirected", cause, `Set ${baseUrl} to the service's own address.`);
  }
  if (status === 404 || status === 410)
    return failure(exchange, "not-found", "nothing was found at this address", `Check ${baseUrl}.`);
  const cause = "the service returned a status that its contract doesn't define";
  return failure(exchange, "unexpected-status", cause, `Check ${baseUrl}, and the health of the service.`);
}

/** An origin that the service chose may be long or contain a token, so long parts are omitted. A URL has its host in lower case. */
function shownOrigin(origin: string, { authorization, body }: JsonRequest): string {
  const tokens = [authorization.replace(/^Token /, ""), tokenOf(body)];
  const isSecret = tokens.some((token) => token !== undefined && origin.includes(token.toLowerCase()));
  if (isSecret) return "another address";
  const shown = origin.replace(/[^./:]{21,}/g, "…");
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}

export function invalidResponse({ path, reason }: ValidationIssue, exchange: Exchange): UserGroupError {
  const { subject, body } = exchange;
  const cause =
    body === undefined ? "the response body is not JSON" : `the response's ${path || "body"} ${reason}`;
  const check = `Check that ${settingName("baseUrl", subject)} is the address of the service's API.`;
  const remedy = `${check} Nothing was recorded.${creationNote(subject)}`;
  return failure({ ...exchange, isPossiblyApplied: true }, "response-invalid", cause, remedy);
}

/** The error of a response for another group than that of the request. `isNew`: the request created it. */
export function wrongGroup(exchange: Exchange, isNew: boolean): UserGroupError {
  const cause = "the response is for another group: its user_group.provided_id is not the ID of the request";
  const remedy =
    `Nothing was recorded${isNew ? ", but the service says that it created a group" : ""}. The service may change spaces or ` +
    "case in IDs: then use its spelling as the userGroupId, and the next pulumi up adopts the group. Otherwise look for a " +
    "cache between Pulumi and the service.";
  return failure({ ...exchange, isPossiblyApplied: true }, "wrong-group", cause, remedy);
}

function failure(exchange: Exchange, code: ErrorCode, cause: string, remedy: string): UserGroupError {
  const { subject, status, attempts = 1, isPossiblyApplied = false } = exchange;
  const { method, url } = exchange.request;
  const summary = `${method} ${url.href}${attempts > 1 ? `, ${attempts} attempts` : ""}`;
  const response = status ? `status ${status} to ` : "";
  return cannot(subject, code, `${cause} (${response}${summary})`, remedy, isPossiblyApplied);
}

/** A deletion can't record that it was possibly applied, so the message says it. */
function effectNote(subject: Subject): string {
  if (subject.operation !== "delete") return creationNote(subject);
  return " The group may be gone now, so run pulumi refresh before you take the change back.";
}

/** A create that was possibly applied may leave a group that isn't in the state. */
function creationNote({ operation }: Subject): string {
  if (operation !== "create") return "";
  return " The group may exist now. With adopt (the default), the next pulumi up adopts it. If another resource had it, run pulumi refresh before you take the change back.";
}

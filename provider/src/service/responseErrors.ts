/** Failed requests and unusable responses → user-facing errors. They contain no part of a response. */
import { cannot, type ErrorCode, type Subject, type UserGroupError } from "../errors";
import { settingName, type SettingOwner } from "../settings/readSettings";
import type { ValidationIssue } from "../validation";
import type { JsonRequest } from "./http/attempt";
import type { JsonResponse } from "./http/jsonRequest";
import type { TransportFault, TransportError } from "./http/transportError";

/** A request with its final response. */
export interface Exchange {
  readonly request: JsonRequest;
  readonly response: JsonResponse;
  readonly subject: Subject;
}

/** The error of a request without a usable response. */
export function requestFailed(
  { fault, attempts }: TransportError,
  request: JsonRequest,
  subject: Subject,
): UserGroupError {
  const [code, remedy] = transportRemedies(subject)[fault.failure];
  const note = fault.isPossiblyApplied ? creationNote(subject) : "";
  return cannot(subject, code, `${fault.message} (${requestSummary(request, attempts)})`, remedy + note);
}

/** The error of a response with `success` 0 or with a status other than 2xx. */
export function unsuccessful(
  { subject, request, response: { status, redirectsTo, attempts } }: Exchange,
  isRefusal: boolean,
): UserGroupError {
  const baseUrl = settingName("baseUrl", subject);
  const error = (code: ErrorCode, cause: string, remedy: string) =>
    cannot(subject, code, `${cause} (status ${status} to ${requestSummary(request, attempts)})`, remedy);
  if (status === 401 || status === 403) {
    const remedy = `Check ${settingName("apiToken", subject)}. A restarted emulator prints a new one.`;
    return error("unauthorized", "the API token was not accepted", remedy);
  }
  if (isRefusal) return error("service-refused", "the service refused (success 0)", refusalRemedy(subject));
  if (redirectsTo !== undefined) {
    const cause = `the service redirected to ${redirectsTo}, and redirects are not followed`;
    return error("redirected", cause, `Set ${baseUrl} to the service's own address.`);
  }
  if (status === 404 || status === 410)
    return error("not-found", "nothing was found at this address", `Check ${baseUrl}.`);
  const cause = "the service returned a status that its contract doesn't define";
  return error("unexpected-status", cause, `Check ${baseUrl}, and the health of the service.`);
}

/** The error of a response that breaks the contract. */
export function invalidResponse(
  { path, reason }: ValidationIssue,
  { subject, request, response: { body, attempts } }: Exchange,
): UserGroupError {
  const cause =
    body === undefined ? "the response body is not JSON" : `the response's ${path || "body"} ${reason}`;
  const remedy =
    `Check that ${settingName("baseUrl", subject)} is the address of the service's API. Nothing was ` +
    `recorded.${creationNote(subject)}`;
  return cannot(subject, "response-invalid", `${cause} (${requestSummary(request, attempts)})`, remedy);
}

/** The error of a response for another group than that of the request. `isNew`: the request created it. */
export function wrongGroup({ subject, request, response }: Exchange, isNew: boolean): UserGroupError {
  const cause =
    "the response is for another group: its user_group.provided_id is not the ID of the request " +
    `(${requestSummary(request, response.attempts)})`;
  const remedy =
    `Nothing was recorded${isNew ? ", but the service says that it created a group" : ""}. The service may change spaces or ` +
    "case in IDs: then use its spelling as the userGroupId, and the next pulumi up adopts the group. Otherwise look for a " +
    "cache between Pulumi and the service.";
  return cannot(subject, "wrong-group", cause, remedy);
}

/** Code and remedy of each transport failure. */
function transportRemedies(
  subject: SettingOwner,
): Record<TransportFault["failure"], [ErrorCode, remedy: string]> {
  const check = `Check ${settingName("baseUrl", subject)}`;
  return {
    cancelled: ["cancelled", "Run the same command again to do the rest."],
    broken: ["connection-failed", `${check}, the network and any proxy, then run the same command again.`],
    "host-not-found": ["host-not-found", `${check}.`],
    status: ["unexpected-status", "Run the same command again when the service is healthy."],
    "timed-out": ["timed-out", `Run the same command again, or raise ${settingName("timeout", subject)}.`],
    tls: ["certificate-untrusted", `${check}. For your own certificate authority, set NODE_EXTRA_CA_CERTS.`],
    "too-large": ["response-too-large", `${check}: the service's own responses are small.`],
  };
}

/** A create that was possibly applied may leave a group that isn't in the state. */
function creationNote({ operation }: Subject): string {
  if (operation !== "create") return "";
  return " The group may exist now. With adopt (the default), the next pulumi up adopts it.";
}

function refusalRemedy({ operation }: Subject): string {
  return operation === "delete"
    ? "Its token may be stale: run pulumi refresh and try again, or pulumi destroy --refresh."
    : "The service gives no reason: check the group's ID, name, mapping and properties.";
}

function requestSummary({ method, url }: JsonRequest, attempts: number): string {
  return `${method} ${url.href}` + (attempts > 1 ? `, ${attempts} attempts` : "");
}

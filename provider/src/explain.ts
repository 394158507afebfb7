/** What came back → an error for people. Everything here is said in our words, nothing in the service's. */
import { cannot, type ProblemCode, type Subject, type UserGroupError } from "./errors";
import type { Flaw } from "./schema";
import { configurationKey, environmentVariable, type SettingName } from "./settings";
import type { JsonAnswer, JsonRequest } from "./transport";
import type { TransportError } from "./transportError";

export interface Exchanged {
  readonly request: JsonRequest;
  readonly answer: JsonAnswer;
  readonly subject: Subject;
}

/** No usable answer came. */
export function explainFault(
  { fault, attempts }: TransportError,
  request: JsonRequest,
  subject: Subject,
): UserGroupError {
  const [code, wayOut] = faultWaysOut(subject)[fault.failure];
  const remark = fault.mayHaveBeenCarriedOut ? remarkOnCreation(subject) : "";
  return cannot(subject, code, `${fault.message} (${trail(request, attempts)})`, wayOut + remark);
}

/** An answer came that says by its status or by `success` 0 that nothing was done. */
export function explainStatus(exchanged: Exchanged, isRefusal: boolean): UserGroupError {
  const { subject, answer } = exchanged;
  const { status, redirectsTo } = answer;
  const path = `status ${status} to ${trail(exchanged.request, answer.attempts)}`;
  if (status === 401 || status === 403)
    return cannot(
      subject,
      "unauthorized",
      `the API token was not accepted (${path})`,
      `Check ${setting("apiToken", subject)}.`,
    );
  if (isRefusal)
    return cannot(
      subject,
      "service-refused",
      `the service refused (success 0, ${path})`,
      refusalWayOut(subject),
    );
  if (redirectsTo !== undefined)
    return cannot(
      subject,
      "redirected",
      `the service redirected to ${redirectsTo}, which is not followed (${path})`,
      `Set ${setting("baseUrl", subject)} to the service's own address.`,
    );
  if (status === 404 || status === 410)
    return cannot(
      subject,
      "not-found",
      `nothing was found at this address (${path})`,
      `Check ${setting("baseUrl", subject)}.`,
    );
  return cannot(
    subject,
    "unexpected-status",
    `the service answered in a way that its contract doesn't know (${path})`,
    `Check ${setting("baseUrl", subject)}, and the service itself.`,
  );
}

/** An answer came that doesn't keep the contract: nothing of it is used. */
export function explainFlaw(
  { place, reason }: Flaw,
  { subject, request, answer }: Exchanged,
): UserGroupError {
  const what =
    answer.body === undefined ? "the answer is not JSON" : `the answer's ${place || "body"} ${reason}`;
  return cannot(
    subject,
    "answer-invalid",
    `${what} (${trail(request, answer.attempts)})`,
    `Check that ${setting("baseUrl", subject)} is the address of the service's API; nothing was recorded.` +
      remarkOnCreation(subject),
  );
}

/** The answer is about another group than the one that was asked for. */
export function explainWrongGroup({ subject, request, answer }: Exchanged): UserGroupError {
  return cannot(
    subject,
    "wrong-group",
    `the answer is about another group: its user_group.provided_id is not the ID that was sent ` +
      `(${trail(request, answer.attempts)})`,
    "Its token was not stored. Report it to the service; a cache in between may be the cause." +
      remarkOnCreation(subject),
  );
}

/** A creation that may have happened leaves a group that no record tells of. */
function remarkOnCreation({ operation }: Subject): string {
  return operation === "create"
    ? " The group may exist by now; with adopt (the default) the next up takes it over."
    : "";
}

/** What to do about a fault, whichever operation it hit. */
export function faultWaysOut(
  subject: Pick<Subject, "connection">,
): Record<TransportError["fault"]["failure"], [ProblemCode, string]> {
  const address = `Check ${setting("baseUrl", subject)}`;
  return {
    broken: ["connection-failed", `${address}, the network and any proxy, then run the same command again.`],
    "host-not-found": ["host-not-found", `${address}.`],
    status: ["unexpected-status", "Run the same command again once the service is well."],
    "timed-out": [
      "timed-out",
      `Run the same command again, or give it more time with ${setting("timeout", subject)}.`,
    ],
    tls: [
      "certificate-untrusted",
      `${address}; a certificate authority of your own goes into NODE_EXTRA_CA_CERTS.`,
    ],
    "too-large": ["answer-too-large", `${address}: this is not an answer of the service.`],
  };
}

function refusalWayOut({ operation }: Subject): string {
  if (operation === "delete")
    return "Its token may be stale: run pulumi refresh and try again, or pulumi destroy --refresh.";
  return "It gives no reason: check the group's ID, name, mapping and properties against what it knows.";
}

function trail({ method, url }: JsonRequest, attempts: number): string {
  return `${method} ${url.href}` + (attempts > 1 ? `, ${attempts} attempts` : "");
}

function setting(name: SettingName, { connection }: Pick<Subject, "connection">): string {
  return `${configurationKey(name, connection)} (or ${environmentVariable(name, connection)})`;
}

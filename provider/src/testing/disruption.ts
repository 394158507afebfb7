import type { EmulatedResponse, Fault, ServiceResponse, StatusFault } from "./faults";
import type { Outcome } from "./operations";

/** Whether a request that this fault hits still takes effect. */
export function isApplied(fault: Fault): boolean {
  switch (fault.kind) {
    case "refuse":
      return false;
    case "status":
      return fault.when === "after";
    case "drop":
    case "respond":
      return fault.when !== "before";
    case "delay":
      return true;
  }
}

/** The response of a healthy service. */
export function responseOf({ status, responseBody }: Outcome): ServiceResponse {
  return json(status, responseBody);
}

/** The response that a fault makes of the service's own; undefined for none. */
export function disrupted(fault: Fault, response: ServiceResponse): EmulatedResponse | undefined {
  switch (fault.kind) {
    case "status":
      return statusResponse(fault);
    case "refuse":
      return json(fault.status ?? 200, { success: 0 });
    case "drop":
      return undefined;
    case "delay":
      return response;
    case "respond":
      return fault.respond(response);
  }
}

function json(status: number, body: object): ServiceResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function statusResponse({
  status,
  retryAfter,
  contentType = "text/plain",
  body = "",
}: StatusFault): EmulatedResponse {
  const retry = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, headers: { "content-type": contentType, ...retry }, body };
}

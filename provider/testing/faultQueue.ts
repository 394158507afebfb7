import { quoted } from "../text";
import type { EmulatedResponse, Fault, ServiceResponse } from "./faults";

/** Each kind of fault, and when it hits by default. */
const kinds = { status: "before", refuse: "before", drop: "after", delay: "after", respond: "after" };

/** Whether a request that this fault hits takes effect. */
export function isApplied(fault: Fault): boolean {
  return (("when" in fault && fault.when) || kinds[fault.kind]) === "after";
}

/** The response to send instead of the service's own one, if any. */
export function disrupted(fault: Fault, own: ServiceResponse): EmulatedResponse | undefined {
  if (fault.kind === "respond") return fault.respond(own);
  if (fault.kind === "refuse") return { ...own, status: fault.status ?? own.status };
  if (fault.kind !== "status") return fault.kind === "delay" ? own : undefined;
  const { status, retryAfter, contentType = "text/plain", body = "" } = fault;
  const retry = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, headers: { "content-type": contentType, ...retry }, body };
}

export class FaultQueue {
  #waiting: { readonly fault: Fault; skip: number; times: number }[] = [];

  /** Throws a `TypeError` for an unknown kind, because a misspelt fault would look like a healthy service. */
  add(fault: Fault): void {
    if (!Object.hasOwn(kinds, fault.kind))
      throw new TypeError(`Unknown kind of fault: ${quoted(fault.kind)}`);
    if (fault.kind === "respond" && typeof fault.respond !== "function")
      throw new TypeError('The fault "respond" needs a function "respond"');
    this.#waiting.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that hits this request, if any. */
  take(method: string, userGroupId: string | undefined): Fault | undefined {
    this.#waiting = this.#waiting.filter(({ times }) => times > 0);
    const fitting = this.#waiting.filter(({ fault }) => fits(fault, method, userGroupId));
    const hit = fitting.find((waiting) => waiting.skip-- <= 0);
    if (hit) hit.times -= 1;
    return hit?.fault;
  }
}

function fits(fault: Fault, method: string, userGroupId: string | undefined): boolean {
  const customer = userGroupId?.replace(/~[0-9a-f]{8}$/, "");
  return (
    (fault.method ?? method) === method &&
    (fault.userGroupId ?? userGroupId) === userGroupId &&
    (fault.customer ?? customer) === customer
  );
}

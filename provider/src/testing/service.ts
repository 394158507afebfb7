import type { IncomingHttpHeaders } from "node:http";
import type { Delivery } from "./delivery";
import { disrupted, isApplied, responseOf } from "./disruption";
import { FaultQueue } from "./faultQueue";
import type { Fault } from "./faults";
import { entryFrom, loggedHeaders } from "./loggedEntry";
import { deleteGroup, getOrCreate, type Outcome, refused, subjectOf } from "./operations";
import { jsonOf } from "./requestBody";
import type { RequestLogEntry } from "./requestLog";
import type { Settings } from "./settings";
import { GroupStore } from "./store";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly connection: number;
}

/** The service without its sockets: what a request does, what is answered, and what is noted of it. */
export class Service {
  readonly store = new GroupStore();
  readonly faults = new FaultQueue();
  readonly requests: RequestLogEntry[] = [];
  settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  respond(arrival: Arrival): Delivery {
    const body = jsonOf(arrival.text);
    const userGroupId = subjectOf(this.store, this.settings, body);
    const misaddressed = this.#misaddressed(arrival);
    const fault = misaddressed ? undefined : this.faults.take(arrival.method, userGroupId);
    const outcome = misaddressed ?? this.#apply(arrival, body, fault);
    const delivery = this.#delivery(outcome, fault);
    this.#note(arrival, { body, userGroupId, fault, ...outcome }, delivery);
    return delivery;
  }

  #misaddressed({ method, path }: Arrival): Outcome | undefined {
    const [pathOnly] = path.split("?");
    if (pathOnly !== `${this.settings.basePath}/api/user`)
      return refused(`unknown path ${pathOnly ?? ""}`, 404);
    if (method !== "GET" && method !== "DELETE") return refused("unknown method", 405);
    return undefined;
  }

  #apply(arrival: Arrival, body: unknown, fault: Fault | undefined): Outcome {
    if (fault && !isApplied(fault)) return { effect: "none", status: 200, responseBody: { success: 0 } };
    if (!this.#isAuthorized(arrival)) return refused("not authorized", 401);
    const operation = arrival.method === "GET" ? getOrCreate : deleteGroup;
    return operation(this.store, this.settings, body);
  }

  #isAuthorized({ headers }: Arrival): boolean {
    return headers.authorization === `Token ${this.settings.apiToken}`;
  }

  #delivery(outcome: Outcome, fault: Fault | undefined): Delivery {
    const response = responseOf(outcome);
    const { latency } = this.settings;
    if (!fault) return { response, drops: false, delay: latency };
    const delay = fault.kind === "delay" ? latency + fault.ms : latency;
    return { response: disrupted(fault, response), drops: fault.kind === "drop", delay };
  }

  #note(
    arrival: Arrival,
    met: Outcome & Pick<RequestLogEntry, "body" | "userGroupId" | "fault">,
    sent: Delivery,
  ): void {
    if (!this.settings.keepRequests && !this.settings.log) return;
    const entry = entryFrom({
      receivedAt: Date.now(),
      method: arrival.method,
      path: arrival.path,
      headers: loggedHeaders(arrival.headers),
      authorized: this.#isAuthorized(arrival),
      body: met.body,
      userGroupId: met.userGroupId,
      effect: met.effect,
      refusal: met.refusal,
      newUserGroup: met.effect === "created",
      status: sent.response?.status,
      fault: met.fault,
      connection: arrival.connection,
    });
    if (this.settings.keepRequests) this.requests.push(entry);
    this.settings.log?.(entry);
  }
}

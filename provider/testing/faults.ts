/** A fault hits a request before it takes effect, so that it never does, or after. */
export type FaultTime = "before" | "after";

/** The requests that a fault hits. Default: the next one, whatever its method and group. */
export interface FaultTarget {
  readonly method?: "GET" | "DELETE";
  /** The ID in the service. */
  readonly userGroupId?: string;
  /** The `userGroupId` of the program: each group of the customer, also those that `overlap` gives an ID with a digest. */
  readonly customer?: string;
  /** The number of requests that it hits. `Infinity`: every one until `clearFaults`. */
  readonly times?: number;
  /** The number of requests that it first lets pass. */
  readonly skip?: number;
}

/** Responds with an HTTP status, as a gateway or an overloaded service does. */
export interface StatusFault {
  readonly kind: "status";
  readonly status: number;
  /** The `Retry-After` header: seconds or an HTTP date. */
  readonly retryAfter?: number | string;
  readonly body?: string;
  /** Default `text/plain`. */
  readonly contentType?: string;
  /** Default `"before"`. */
  readonly when?: FaultTime;
}

/** Responds `{"success":0}` (interface, section "Errors"), by default with status 200. The request has no effect. */
export interface RefuseFault {
  readonly kind: "refuse";
  readonly status?: number;
}

/** Closes the connection without a response. */
export interface DropFault {
  readonly kind: "drop";
  readonly when: FaultTime;
}

/** Applies the request at once and responds later. */
export interface DelayFault {
  readonly kind: "delay";
  /** Milliseconds, added to `latency`. */
  readonly ms: number;
}

/** Responds with the result of a function. */
export interface RespondFault {
  readonly kind: "respond";
  /** Takes the service's own response and returns the one to send. Undefined: none, on an open connection. */
  readonly respond: (response: ServiceResponse) => EmulatedResponse | undefined;
  /** Default `"after"`. With `"before"`, the service's own response is `{"success":0}`. */
  readonly when?: FaultTime;
}

export interface EmulatedResponse {
  readonly status: number;
  /** By lower-case name. A body of text or bytes gets a `content-length` unless there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent part by part. If it throws, the connection closes. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** A response of the service itself: JSON. */
export type ServiceResponse = EmulatedResponse & { readonly body: string };

export type FaultKind = StatusFault | RefuseFault | DropFault | DelayFault | RespondFault;

/** Faults wait in a queue. The first one that fits hits the request, except those whose `skip` lets it pass. */
export type Fault = FaultTarget & FaultKind;

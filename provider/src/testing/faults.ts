/** Whether a fault hits a request before it takes effect, so that it never does, or after. */
export type FaultTime = "before" | "after";

/** The requests that a fault hits. */
export interface FaultTarget {
  /** Only requests of this method. Default: both. */
  readonly method?: "GET" | "DELETE";
  /** Only requests for this group. Default: every group. */
  readonly userGroupId?: string;
  /** The number of requests that it hits; `Infinity`: every one until `clearFaults`. Default 1. */
  readonly times?: number;
  /** The number of requests that it first lets pass. Default 0. */
  readonly skip?: number;
}

/** Responds with an HTTP status, as a gateway or an overloaded service does. */
export interface StatusFault {
  readonly kind: "status";
  readonly status: number;
  /** The `Retry-After` header, verbatim: seconds or an HTTP date. Default: none. */
  readonly retryAfter?: number | string;
  /** Default `""`. */
  readonly body?: string;
  /** Default `text/plain`. */
  readonly contentType?: string;
  /** Default `"before"`; `"after"`: a gateway that gave up on a service that applied the request. */
  readonly when?: FaultTime;
}

/** Responds `{"success":0}` (interface, section "Errors"). The request takes no effect. */
export interface RefuseFault {
  readonly kind: "refuse";
  /** Default 200. */
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
  /** Milliseconds, on top of `latency`. */
  readonly ms: number;
}

/** Responds with the result of a function. */
export interface RespondFault {
  readonly kind: "respond";
  /**
   * Takes the service's own response and returns the response to send. Undefined: no response, on an open connection.
   * With `when: "before"`, the service's own response is `{"success":0}`.
   */
  readonly respond: (response: ServiceResponse) => EmulatedResponse | undefined;
  /** Default `"after"`. */
  readonly when?: FaultTime;
}

/** A response as the emulator sends it. */
export interface EmulatedResponse {
  readonly status: number;
  /** By lower-case name. A body of text or bytes gets a `content-length` unless there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent part by part; if it throws, the connection closes. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** A response of the service itself: JSON. */
export interface ServiceResponse extends EmulatedResponse {
  readonly body: string;
}

export type FaultKind = StatusFault | RefuseFault | DropFault | DelayFault | RespondFault;

/**
 * Faults wait in a queue. Each request on the service's path is hit by the first fault that fits it. A request that
 * one fault lets pass by `skip` may be hit by a later one.
 */
export type Fault = FaultTarget & FaultKind;

/** Whether a fault strikes before the request has had its effect (it then has none) or after. */
export type FaultTime = "before" | "after";

/** Which requests a fault hits. */
export interface FaultTarget {
  /** Only requests of this method. Default: both. */
  readonly method?: "GET" | "DELETE";
  /** Only requests for this group. Default: every group. */
  readonly userGroupId?: string;
  /** How many requests it hits; `Infinity`: every one until `clearFaults`. Default 1. */
  readonly times?: number;
  /** How many requests that it would hit it first lets pass. Default 0. */
  readonly skip?: number;
}

/** Answers with an HTTP status, as a gateway or an overloaded service does. */
export interface StatusFault {
  readonly kind: "status";
  readonly status: number;
  /** The `Retry-After` header, verbatim: seconds or an HTTP date. Default: none. */
  readonly retryAfter?: number | string;
  /** Default `""`. */
  readonly body?: string;
  /** Default `text/plain`, or JSON with `success0`. */
  readonly contentType?: string;
  /** The body is `{"success":0}`. Default false. */
  readonly success0?: boolean;
  /** Default `"before"`; `"after"`: a gateway that gave up on a service that did the work. */
  readonly when?: FaultTime;
}

/** Answers `{"success":0}` (interface, section "Errors") and does nothing. */
export interface RefuseFault {
  readonly kind: "refuse";
  /** Default 200. */
  readonly status?: number;
}

/** Closes the connection instead of answering. */
export interface LoseAnswerFault {
  readonly kind: "loseAnswer";
  readonly when: FaultTime;
}

/** Carries the request out, promises the whole answer and closes the connection half way through its body. */
export interface CutOffFault {
  readonly kind: "cutOff";
}

/** Never answers, and leaves the connection open. */
export interface HangFault {
  readonly kind: "hang";
  /** Default `"after"`. */
  readonly when?: FaultTime;
}

/** Carries the request out at once and answers later. */
export interface SlowFault {
  readonly kind: "slow";
  /** Milliseconds, on top of `latency`. */
  readonly ms: number;
}

/** Carries the request out and sends the body of the answer byte by byte. */
export interface DripFault {
  readonly kind: "drip";
  /** Milliseconds between two bytes. */
  readonly ms: number;
}

/** Answers 200 with an HTML page. */
export interface NotJsonFault {
  readonly kind: "notJson";
  /** Default `"after"`. */
  readonly when?: FaultTime;
}

/** Answers what it is told to, verbatim. */
export interface RawFault {
  readonly kind: "raw";
  /** Default 200. */
  readonly status?: number;
  /** Default: `content-type` JSON and the right `content-length`; those given win. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, or what makes it of the true answer's text. Default `""`. */
  readonly body?: string | Uint8Array | ((answer: string) => string | Uint8Array);
  /** Default `"after"`. */
  readonly when?: FaultTime;
}

/** Carries the request out and changes one field of the answer. */
export interface FieldFault {
  readonly kind: "field";
  /** The field's path in the answer, such as `"success"` or `"user_group.token"`. */
  readonly field: string;
  /** Any JSON. Left out or undefined: the field is missing. */
  readonly value?: unknown;
}

/** Answers with a valid answer that blanks make as long as ordered, without a `content-length`. */
export interface HugeFault {
  readonly kind: "huge";
  /** Length of the body in bytes. */
  readonly bytes: number;
  /** Default `"after"`. */
  readonly when?: FaultTime;
}

/** Sends the client elsewhere, and does nothing. */
export interface RedirectFault {
  readonly kind: "redirect";
  /** The `Location` header, verbatim. */
  readonly location: string;
  /** Default 302. */
  readonly status?: number;
}

/** Treats the body as empty, as if a proxy had stripped it off the GET. The log keeps what was sent. */
export interface StripBodyFault {
  readonly kind: "stripBody";
}

/** Carries a GET out and answers with another group: one that the service holds, or an invented one. */
export interface WrongGroupFault {
  readonly kind: "wrongGroup";
}

export type FaultKind =
  | StatusFault
  | RefuseFault
  | LoseAnswerFault
  | CutOffFault
  | HangFault
  | SlowFault
  | DripFault
  | NotJsonFault
  | RawFault
  | FieldFault
  | HugeFault
  | RedirectFault
  | StripBodyFault
  | WrongGroupFault;

/**
 * A fault to order. Faults wait in a queue, and each request on the service's path is hit by the first that fits it;
 * one that is let pass by `skip` may still be hit by a later fault.
 */
export type Fault = FaultTarget & FaultKind;

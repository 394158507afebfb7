import type { Fault } from "./faults";

/** What a request did to the groups: `"returned"` and `"none"` changed nothing, `"refused"` is `success` 0. */
export type Effect = "created" | "updated" | "returned" | "deleted" | "refused" | "none";

/** The headers that say something of a client; those not sent are missing. `authorization` is never kept. */
export interface LoggedHeaders {
  readonly "user-agent"?: string;
  readonly "content-type"?: string;
  readonly "content-length"?: string;
  readonly "transfer-encoding"?: string;
  readonly host?: string;
  readonly connection?: string;
}

/**
 * One request, in the order in which they took effect. Its text (`String(entry)`, `console.log`) is one line, and
 * neither that nor its JSON holds a token, a property or a body; `body` itself does.
 */
export interface RequestLogEntry {
  /** Milliseconds since 1970 when the whole request had arrived. */
  readonly receivedAt: number;
  readonly method: string;
  /** The path with the query, as sent. */
  readonly path: string;
  readonly headers: LoggedHeaders;
  /** Whether it carried `Authorization: Token <API token>`. */
  readonly authorized: boolean;
  /** The body's JSON with its secrets; undefined where it was empty or not JSON. */
  readonly body: unknown;
  /** The group it was about: by its `user_group_id`, else by its `current_token`; undefined where neither says. */
  readonly userGroupId: string | undefined;
  readonly effect: Effect;
  /** Why it was refused, for people; the service itself doesn't say. */
  readonly refusal: string | undefined;
  /** True where it created the group, whatever the response said of it. */
  readonly newUserGroup: boolean;
  /** The HTTP status of the response; undefined where a fault kept back the response. */
  readonly status: number | undefined;
  /** The fault that hit it. */
  readonly fault: Fault | undefined;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** One line: method, group, effect, status. No secrets. */
  toString(): string;
}

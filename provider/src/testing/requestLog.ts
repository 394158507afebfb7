import { inspect } from "node:util";
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
  readonly authorised: boolean;
  /** The body's JSON with its secrets; undefined where it was empty or not JSON. */
  readonly body: unknown;
  /** The group it was about: by its `user_group_id`, else by its `current_token`; undefined where neither says. */
  readonly userGroupId: string | undefined;
  readonly effect: Effect;
  /** Why it was refused, for people; the service itself doesn't say. */
  readonly refusal: string | undefined;
  /** True where it created the group, whatever the answer said of it. */
  readonly newUserGroup: boolean;
  /** The HTTP status of the answer; undefined where a fault kept back the answer. */
  readonly status: number | undefined;
  /** The fault that hit it. */
  readonly fault: Fault | undefined;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** One line: method, group, effect, status. No secrets. */
  toString(): string;
}

/** Makes an entry of its facts, with a text and a JSON that are fit to be shown. */
export function entryFrom(facts: Omit<RequestLogEntry, "toString">): RequestLogEntry {
  return Object.defineProperties({ ...facts }, shown);
}

/** The headers worth keeping. */
export function loggedHeaders(headers: NodeJS.Dict<string | string[]>): LoggedHeaders {
  const kept: Partial<Record<keyof LoggedHeaders, string>> = {};
  for (const name of headerNames) {
    const value = headers[name];
    if (typeof value === "string") kept[name] = value;
  }
  return kept;
}

const headerNames: readonly (keyof LoggedHeaders)[] = [
  "user-agent",
  "content-type",
  "content-length",
  "transfer-encoding",
  "host",
  "connection",
];

const shown: PropertyDescriptorMap & ThisType<RequestLogEntry> = {
  toString: {
    value(): string {
      return lineOf(this);
    },
  },
  [inspect.custom]: {
    value(): string {
      return lineOf(this);
    },
  },
  toJSON: {
    value(): object {
      return { ...this, path: pathOnly(this), body: undefined, fault: this.fault?.kind };
    },
  },
};

function lineOf(entry: RequestLogEntry): string {
  const subject = entry.userGroupId === undefined ? pathOnly(entry) : JSON.stringify(entry.userGroupId);
  const words = [entry.method, subject, entry.effect, entry.status ?? "no answer"];
  if (entry.refusal !== undefined) words.push(`(${entry.refusal})`);
  if (entry.fault !== undefined) words.push(`[fault: ${entry.fault.kind}]`);
  return words.join(" ");
}

/** A query may hold anything, tokens included. */
function pathOnly(entry: RequestLogEntry): string {
  return entry.path.replace(/[?#].*$/, "");
}

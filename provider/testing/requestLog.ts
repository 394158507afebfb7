import { inspect } from "node:util";
import { escaped, quoted } from "../text";
import type { Fault } from "./faults";

/** What a request did to the groups: `"returned"` and `"none"` changed nothing, `"refused"` is `success` 0. */
export type Effect = "created" | "updated" | "returned" | "deleted" | "refused" | "none";

/** The headers of a request by lower-case name, without `authorization` and other credentials. */
export type LoggedHeaders = Readonly<Record<string, string | undefined>>;

/**
 * One request, in the order in which they took effect. `String(entry)` and `console.log(entry)` print one line. Neither
 * this line nor the JSON contains a token, a property or a body; `body` itself does.
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
  /** The account of its API token: 0 for the emulator's own, then in the order of `addAccount`. */
  readonly account: number | undefined;
  /** The body's JSON with its secrets. Undefined if it was empty or not JSON. */
  readonly body: unknown;
  /** The group that its `user_group_id` or, without one, its `current_token` names. */
  readonly userGroupId: string | undefined;
  readonly effect: Effect;
  /** Why it was refused, for people. The response doesn't contain it. */
  readonly refusal: string | undefined;
  /** Whether it created the group, whatever the response said. */
  readonly newUserGroup: boolean;
  /** The HTTP status of the response. Undefined if a fault kept it back. */
  readonly status: number | undefined;
  readonly fault: Fault | undefined;
  /** The number of its connection, from 1. */
  readonly connection: number;
  toString(): string;
}

type Facts = Omit<RequestLogEntry, "headers" | "toString"> & { readonly headers: object };

/** Makes an entry whose text and JSON contain no secrets. */
export function entryFrom({ headers, ...facts }: Facts): RequestLogEntry {
  const kept = Object.entries(headers).filter(([name]) => !/authorization|cookie/.test(name));
  return Object.assign(new Shown(), facts, { headers: Object.fromEntries(kept) });
}

class Shown {
  toString(this: RequestLogEntry): string {
    const subject = this.userGroupId === undefined ? escaped(pathOnly(this)) : quoted(this.userGroupId);
    const refusal = this.refusal === undefined ? [] : [`(${escaped(this.refusal)})`];
    const fault = this.fault ? [`[fault: ${this.fault.kind}]`] : [];
    return [this.method, subject, this.effect, this.status ?? "no response", ...refusal, ...fault].join(" ");
  }

  [inspect.custom](this: RequestLogEntry): string {
    return this.toString();
  }

  toJSON(this: RequestLogEntry): object {
    return { ...this, path: pathOnly(this), body: undefined, fault: this.fault?.kind };
  }
}

/** A query may contain tokens. */
function pathOnly({ path }: RequestLogEntry): string {
  return path.replace(/[?#].*$/, "");
}

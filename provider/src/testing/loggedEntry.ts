import type { IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import type { LoggedHeaders, RequestLogEntry } from "./requestLog";

/** Makes an entry of its facts, with a text and a JSON that are fit to be shown. */
export function entryFrom(facts: Omit<RequestLogEntry, "toString">): RequestLogEntry {
  return Object.assign(new Shown(), facts);
}

/** The headers worth keeping. */
export function loggedHeaders(headers: IncomingHttpHeaders): LoggedHeaders {
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

class Shown {
  toString(this: RequestLogEntry): string {
    return lineOf(this);
  }

  [inspect.custom](this: RequestLogEntry): string {
    return lineOf(this);
  }

  toJSON(this: RequestLogEntry): object {
    return { ...this, path: pathOnly(this), body: undefined, fault: this.fault?.kind };
  }
}

function lineOf(entry: RequestLogEntry): string {
  const subject = entry.userGroupId === undefined ? pathOnly(entry) : JSON.stringify(entry.userGroupId);
  const words = [entry.method, subject, entry.effect, entry.status ?? "no response"];
  if (entry.refusal !== undefined) words.push(`(${entry.refusal})`);
  if (entry.fault !== undefined) words.push(`[fault: ${entry.fault.kind}]`);
  return words.join(" ");
}

/** A query may hold anything, tokens included. */
function pathOnly(entry: RequestLogEntry): string {
  return entry.path.replace(/[?#].*$/, "");
}

/** Everything that can be wrong between the product and the service, as the list of the matrix. */
import type { FaultKind } from "../../provider/src/testing";
import { everyField } from "./fields";
import type { Place } from "./place";

/** How often a fault hits: one request, or all until it passes. */
export type Persistence = "once" | "lasting";

export interface FaultCase {
  readonly name: string;
  /** Brings the fault about; it ends with `Place.heal`. */
  readonly strike: (place: Place, persistence: Persistence) => Promise<void> | void;
  /** Whether only time ends an attempt that it hits: the operation then gets little. */
  readonly takesTime?: boolean;
  /** Requests that it can hit. Default: both. */
  readonly method?: "GET" | "DELETE";
  /** Faults of the whole way to the service, which can't hit one of two requests. */
  readonly isOfTheWay?: boolean;
  /** A single hit can't be had, or would be the same. */
  readonly onlyLasting?: boolean;
}

const soon = () => new Date(Date.now() + 1000).toUTCString();

export const faults: readonly FaultCase[] = [
  ofTheWay("connection refused", (place, persistence) => place.shutGate(persistence)),
  ofTheWay("connection reset before the request", (place, persistence) => {
    place.resetGate(persistence);
  }),
  of("connection closed before the effect", { kind: "loseAnswer", when: "before" }),
  of("connection closed after the effect", { kind: "loseAnswer", when: "after" }),
  of("connection closed inside the answer", { kind: "cutOff" }),
  { ...of("no answer, no effect", { kind: "hang", when: "before" }), takesTime: true },
  { ...of("no answer after the effect", { kind: "hang", when: "after" }), takesTime: true },
  { ...of("an answer that drips", { kind: "drip", ms: 500 }), takesTime: true },
  of("408", { kind: "status", status: 408 }),
  of("429, `Retry-After` in seconds", { kind: "status", status: 429, retryAfter: 1 }),
  of("429, `Retry-After` as a date", () => ({ kind: "status", status: 429, retryAfter: soon() })),
  of("429 with `success` 0", { kind: "status", status: 429, success0: true }),
  of("500", { kind: "status", status: 500 }),
  of("502 with HTML", { kind: "status", status: 502, contentType: "text/html", body: "<h1>Oops</h1>" }),
  of("503 before the effect", { kind: "status", status: 503 }),
  of("503 after the effect", { kind: "status", status: 503, when: "after" }),
  of("`success` 0 with 200", { kind: "refuse" }),
  of("`success` 0 with 400", { kind: "refuse", status: 400 }),
  of("`success` 0 with 401", { kind: "refuse", status: 401 }),
  of("`success` 0 with 404", { kind: "refuse", status: 404 }),
  of("`success` 0 with 500", { kind: "refuse", status: 500 }),
  of("403", { kind: "status", status: 403 }),
  of("404 with HTML", { kind: "status", status: 404, contentType: "text/html", body: "<h1>Where?</h1>" }),
  of("418", { kind: "status", status: 418 }),
  { ...of("redirect to another host", { kind: "refuse" }), strike: redirect },
  of("204 without a body", { kind: "raw", status: 204 }),
  of("an empty body", { kind: "raw" }),
  of("a page of HTML", { kind: "notJson" }),
  of("a byte-order mark before the JSON", { kind: "raw", body: (answer) => `\uFEFF${answer}` }),
  of("an array", { kind: "raw", body: (answer) => `[${answer}]` }),
  of("truncated JSON", { kind: "raw", body: (answer) => answer.slice(0, -2) }),
  of("200 MB", { kind: "huge", bytes: 200 * 1024 * 1024 }),
  ...everyField.map(({ name, method, fault }) => ({ ...of(name, fault), method })),
  { ...of("another group's answer", { kind: "wrongGroup" }), method: "GET" },
  { ...of("a proxy that strips the GET's body", { kind: "stripBody" }), method: "GET" },
  ofTheWay(
    "no such host",
    (place) => {
      place.leadTo("https://nowhere.test");
    },
    true,
  ),
  ofTheWay(
    "no answer of the name server",
    (place) => {
      place.leadTo("https://lost.test");
    },
    true,
  ),
  ofTheWay(
    "a certificate that isn't trusted",
    (place) => {
      place.leadTo(place.untrustedUrl);
    },
    true,
  ),
];

function of(name: string, fault: FaultKind | (() => FaultKind)): FaultCase {
  const strike = (place: Place, persistence: Persistence) => {
    place.order(typeof fault === "function" ? fault() : fault, persistence);
  };
  return { name, strike };
}

function ofTheWay(name: string, strike: FaultCase["strike"], onlyLasting = false): FaultCase {
  return { name, strike, isOfTheWay: true, onlyLasting };
}

function redirect(place: Place, persistence: Persistence): void {
  place.order({ kind: "redirect", location: `${place.strangerUrl}/api/user` }, persistence);
}

/** Everything that can go wrong between the product and the service, or in the product itself: the rows of the matrix. */
import { z } from "zod";
import type { FaultKind } from "../../provider/src/testing";
import type { Context, Persistence } from "../harness/context";
import { everyField, invalidValues, unusualValues } from "./fields";
import type { OperationCase } from "./operations";
import { proxyAnswers, urlThrough } from "./proxyFaults";
import {
  changedBody,
  changedField,
  cutOff,
  drip,
  htmlPage,
  noResponse,
  otherGroup,
  padded,
  redirect,
  switchesProtocols,
} from "../harness/responseFaults";

export interface FaultCase {
  readonly name: string;
  /** Brings the fault about; it ends with `Context.heal`. */
  readonly strike: (context: Context, persistence: Persistence, userGroupId: string) => Promise<void> | void;
  /** Whether only time ends an attempt that it hits: the operation then gets little. */
  readonly takesTime?: boolean;
  /** Requests that it can hit. Default: both. */
  readonly method?: "GET" | "DELETE";
  /** A fault of the whole way to the service, which can't hit one of two requests. */
  readonly isOfTheWay?: boolean;
  /** A single hit is impossible, or would be the same. */
  readonly onlyLasting?: boolean;
  /**
   * Whether the first attempt was applied, if nobody can tell: after one hit the request is sent again. "perhaps": it
   * depends on the moment whether the product can tell.
   */
  readonly applied?: "yes" | "no" | "perhaps";
  /** Whether another attempt can't help. */
  readonly isFinal?: boolean;
  /** Whether a healthy service may respond so: the operation succeeds. */
  readonly isHarmless?: boolean;
  /** A defect of the product, not of the service. */
  readonly isDefect?: boolean;
  /** Whether operations that meet a sample of the faults meet this one, beside the sample. */
  readonly isAlwaysMet?: boolean;
  /** Operations that it can hit. Default: all. */
  readonly canHit?: (operation: OperationCase) => boolean;
}

/** More than a second from now, so that no pause is as long as those of the claims, which the clock doesn't count. */
const soon = () => new Date(Date.now() + 2000).toUTCString();

export const faults: readonly FaultCase[] = [
  ofTheWay("connection refused", (context, persistence) => context.shutGate(persistence)),
  {
    ...ofTheWay("connection reset before the request", (context, persistence) => {
      context.resetGate(persistence);
    }),
    applied: "perhaps",
  },
  ambiguous("connection closed before the effect", { kind: "drop", when: "before" }),
  ambiguous("connection closed after the effect", { kind: "drop", when: "after" }),
  ambiguous("connection closed inside the response", cutOff()),
  { ...ambiguous("no response, no effect", noResponse("before")), takesTime: true },
  { ...ambiguous("no response after the effect", noResponse("after")), takesTime: true },
  { ...ambiguous("a response that drips", drip(500)), takesTime: true },
  ambiguous("408", { kind: "status", status: 408 }),
  of("429, `Retry-After` in seconds", { kind: "status", status: 429, retryAfter: 1 }),
  of("429, `Retry-After` as a date", () => ({ kind: "status", status: 429, retryAfter: soon() })),
  of("429 with `success` 0", { kind: "refuse", status: 429 }),
  ambiguous("500", { kind: "status", status: 500 }),
  { ...of("501", { kind: "status", status: 501 }), isFinal: true },
  { ...of("505", { kind: "status", status: 505 }), isFinal: true },
  ambiguous("502 with HTML", {
    kind: "status",
    status: 502,
    contentType: "text/html",
    body: "<h1>Oops</h1>",
  }),
  ambiguous("503 before the effect", { kind: "status", status: 503 }),
  ambiguous("503 after the effect", { kind: "status", status: 503, when: "after" }),
  of("`success` 0 with 200", { kind: "refuse" }),
  of("`success` 0 with 400", { kind: "refuse", status: 400 }),
  of("`success` 0 with 401", { kind: "refuse", status: 401 }),
  of("`success` 0 with 404", { kind: "refuse", status: 404 }),
  of("`success` 0 with 500", { kind: "refuse", status: 500 }),
  of("403", { kind: "status", status: 403 }),
  of("404 with HTML", { kind: "status", status: 404, contentType: "text/html", body: "<h1>Where?</h1>" }),
  of("418", { kind: "status", status: 418 }),
  { ...of("redirect to another host", { kind: "refuse" }), strike: redirectToStranger },
  of("204 without a body", {
    kind: "respond",
    respond: () => ({ status: 204, headers: {}, body: "" }),
  }),
  of("an empty body", changedBody("")),
  of("a page of HTML", htmlPage()),
  harmless(
    "a byte-order mark before the JSON",
    changedBody((body) => `\uFEFF${body}`),
  ),
  of(
    "an array",
    changedBody((body) => `[${body}]`),
  ),
  ambiguous(
    "truncated JSON",
    changedBody((body) => body.slice(0, -2)),
  ),
  of("200 MB", padded(200 * 1024 * 1024)),
  ...everyField.map(({ name, method, field, value }) => ({
    ...(isOptional(field, value) ? harmless : of)(name, changedField(field, value)),
    method,
  })),
  ...Object.entries(unusualValues).map(([name, { field, value }]) => ({
    ...(name.includes("surrogate") ? of : harmless)(name, changedField(field, value)),
    method: "GET" as const,
  })),
  {
    ...harmless("a token of unusual characters", { kind: "refuse" }),
    strike: issueUnusualToken,
    method: "GET",
  },
  { ...of("another group's response", ({ emulator }) => otherGroup(emulator)), method: "GET" },
  {
    ...ofTheWay("a certificate that isn't trusted", (context) => {
      context.pointAt(context.untrustedUrl);
    }),
    onlyLasting: true,
  },
  ...Object.keys(proxyAnswers).map((name) => ({
    ...ofTheWay(`a proxy that ${name}`, (context: Context) => {
      context.pointAt(urlThrough(name));
    }),
    onlyLasting: true,
    isAlwaysMet: true,
    takesTime: name.includes("nothing"),
  })),
  {
    ...ofTheWay("a defect of the product after a request", (context, _, userGroupId) => {
      context.defect = { userGroupId, hits: 0 };
    }),
    isDefect: true,
    onlyLasting: true,
    canHit: ({ name }) => !/read|update/.test(name),
  },
  ...Object.entries(invalidValues).map(([name, { field, value }]) => ({
    ...of(name, changedField(field, value)),
    method: "GET" as const,
    isAlwaysMet: true,
  })),
  {
    ...of("101", { ...switchesProtocols(), when: "before" }),
    method: "GET",
    isAlwaysMet: true,
  },
];

function of(name: string, fault: FaultKind | ((context: Context) => FaultKind)): FaultCase {
  const strike = (context: Context, persistence: Persistence) => {
    context.order(typeof fault === "function" ? fault(context) : fault, persistence);
  };
  return { name, strike };
}

/** A fault that hides whether the request was applied. */
function ambiguous(name: string, fault: FaultKind): FaultCase {
  const isStatus = fault.kind === "status";
  const when = "when" in fault ? fault.when : undefined;
  const isApplied = isStatus ? when === "after" : when !== "before";
  return { ...of(name, fault), applied: isApplied ? "yes" : "no" };
}

function harmless(name: string, fault: FaultKind): FaultCase {
  return { ...of(name, fault), isHarmless: true };
}

function ofTheWay(name: string, strike: FaultCase["strike"]): FaultCase {
  return { name, strike, isOfTheWay: true };
}

/** Fields that the interface doesn't require, or that the product doesn't need. */
function isOptional(field: string, value: unknown): boolean {
  return field === "user_group.team_id" || (field === "user_group.properties" && value == null);
}

function redirectToStranger(context: Context, persistence: Persistence): void {
  context.order(redirect(`${context.strangerUrl}/api/user`), persistence);
}

/** The service gives the group another token, and from then on knows it by that. */
function issueUnusualToken(context: Context, persistence: Persistence, userGroupId: string): void {
  const { emulator } = context;
  const body = (text: string) => {
    if (!emulator.groups.has(userGroupId)) return text;
    const { token } = emulator.rotateToken(userGroupId, 'ünü"su\\al {%}\u{1f511}');
    const response = withGroup.parse(JSON.parse(text));
    return JSON.stringify({ ...response, user_group: { ...response.user_group, token } });
  };
  emulator.fault({
    ...changedBody(body),
    ...context.aim,
    userGroupId,
    times: persistence === "once" ? 1 : Infinity,
  });
}

const withGroup = z.looseObject({ user_group: z.looseObject({}) });

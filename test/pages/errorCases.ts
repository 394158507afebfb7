/** Each error of the package, and what causes it. */
import type { ErrorCode } from "../../provider/messages/catalogue";
import { unresolvable } from "../support/harness/providers";
import { changedField, noResponse, redirect } from "../support/harness/responseFaults";
import type { Declared } from "../support/model/resources";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import * as steps from "./errorSteps";
import { values, type Context, type ErrorCase, type Step } from "./errorSteps";

const { destroy, meets, preview, refresh, rewrite, set, up } = steps;

const otherAddress = set(({ otherUrl }) => ({ baseUrl: otherUrl }));
/** Nobody listens there. */
export const closedUrl = "http://127.0.0.1:9";

const long = { name: "Acme Corporation" };
const sales = (source: number) => ({ mapping: { sales: source } });
const acme = (args: object = {}, options: Partial<Declared> = {}): Declared => {
  return { name: "acme", provider: "userGroup", args: { ...values, ...args }, ...options };
};
/** The same group in a resource of another name, without an alias. */
const renamed = (args: object = {}) => acme(args, { name: "renamed" });
const many = (ids: readonly string[], args: object = {}): Declared => {
  const groups = Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }]));
  return { name: "tenants", provider: "userGroups", args: { groups, ...args } };
};
const two = ["acme", "globex"];
const three = [...two, "initech"];
const large = (): Declared => {
  const properties = { terms: "x".repeat(700 * 1024) };
  const entries = Array.from({ length: 13 }, (_, n) => [`t${n}`, { name: "Acme", properties }] as const);
  return { name: "tenants", provider: "userGroups", args: { groups: Object.fromEntries(entries) } };
};

/** The type requires each code. */
export const errorCases: Readonly<Record<ErrorCode, ErrorCase>> = {
  "adoption-refused": { causes: [steps.exists, up(acme({ adopt: false }))] },
  "argument-invalid": { causes: [steps.withProperties({ since: new Date(0) })] },
  cancelled: { causes: [steps.cancels(AbortSignal.abort()), up(acme())] },
  "certificate-untrusted": { service: { tls: loopbackCertificate }, causes: [up(acme())] },
  "connection-failed": faulty(set(() => ({ baseUrl: closedUrl }))),
  "declared-twice": { causes: [up(acme(), renamed())] },
  "deletion-limit": {
    causes: [up(many(three, { deletionLimit: 2 })), preview(many([], { deletionLimit: 2 }))],
  },
  "groups-too-large": { causes: [preview(large())] },
  "guard-dropped": { causes: [up(many(three, { deletionLimit: 2 })), preview(many(["acme"]))] },
  "host-not-found": wrongAddress(() => `https://${unresolvable}.test`),
  "mapping-conflict": { causes: [up(acme(sales(1))), up(renamed(sales(2)))] },
  "move-unconfirmed": {
    causes: [
      up(acme()),
      meets({ kind: "refuse" }),
      async ({ engine }) => {
        const { failures } = await engine.up([renamed()], { continuesOnError: true });
        return failures.at(-1)?.message;
      },
    ],
  },
  "no-such-group": { causes: [up(acme({}, { isLookup: true }))] },
  "not-found": wrongAddress(({ emulator }) => `${emulator.baseUrl}/api/user`),
  "nothing-found": {
    causes: [up(acme()), set(({ emulator }) => ({ apiToken: emulator.addAccount().apiToken })), refresh],
  },
  "package-not-found": { causes: [() => steps.declaresIn("resourceOptions")] },
  "partial-failure": { causes: [meets({ kind: "refuse", userGroupId: "globex" }), up(many(two))] },
  "plugin-not-found": { causes: [() => steps.declaresIn("plugin")] },
  redirected: { causes: [meets(redirect("https://login.example.com/start")), otherAddress, up(acme())] },
  "removed-elsewhere": { causes: [up(many(two)), preview(many(["globex"]), acme({ name: "Tenant" }))] },
  "replacement-retained": {
    causes: [1, 2].map((source) => up(acme(sales(source), { retainOnDelete: true }))),
  },
  "response-invalid": faulty(meets(changedField("user_group.token"))),
  "service-changed": { causes: [up(acme()), otherAddress, destroy] },
  "service-refused": { causes: [up(acme()), steps.created, destroy] },
  "setting-conflict": {
    service: { existing: "update" },
    settings: { changes: "update" },
    causes: [up(acme({ adopt: false }))],
  },
  "setting-invalid": wrongAddress(() => "http://analytics.example.com"),
  "setting-missing": {
    causes: [
      ({ settings }) => {
        delete settings["apiToken"];
      },
      up(acme()),
    ],
  },
  "state-invalid": { causes: [up(acme()), rewrite('"token"', '"tokem"'), destroy] },
  "timed-out": faulty(meets(noResponse()), 0.1),
  unauthorized: { causes: [up(acme()), steps.newToken, refresh] },
  unexpected: {
    causes: [
      // A defect of the code that a request runs.
      ({ clock }) => {
        const now = () => {
          throw new TypeError("Cannot read properties of undefined (reading 'length')");
        };
        Object.assign(clock, { now });
      },
      up(acme()),
    ],
  },
  "unexpected-status": faulty(meets({ kind: "status", status: 503, retryAfter: 120 })),
  "update-not-applied": {
    settings: { changes: "update" },
    causes: [up(acme()), up(acme(long))],
  },
  "wrong-group": {
    service: { normalize: (group) => ({ ...group, userGroupId: group.userGroupId.toLowerCase() }) },
    causes: [up(acme({ userGroupId: "ACME" }))],
  },
};

/** A creation at an address that isn't the service's. */
function wrongAddress(addressIn: (context: Context) => string): ErrorCase {
  return { causes: [set((context) => ({ baseUrl: addressIn(context) })), up(acme())] };
}

/** A creation whose requests all fail. */
function faulty(strike: Step, seconds = 60): ErrorCase {
  return {
    causes: [
      (context) => {
        // Within less than a second, the number of attempts would depend on the machine.
        context.limit(seconds < 1 ? 1 : 3, seconds);
      },
      strike,
      up(acme()),
    ],
  };
}

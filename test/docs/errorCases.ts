/** Each error of the package: what causes it, and what its message says to do about it. */
import type { ErrorCode } from "../../provider/src/errors";
import { unresolvable } from "../harness/providers";
import { changedField, noResponse, padded, redirect } from "../harness/responseFaults";
import type { Declared } from "../model/resources";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import * as steps from "./errorSteps";
import { values, type Context, type ErrorCase, type Program, type Remedy, type Step } from "./errorSteps";

const { destroy, forget, heal, meets, preview, refresh, rewrite, set, up } = steps;

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
const lookup = (userGroupId: string) => acme({ userGroupId }, { name: "lookup", isLookup: true });
const many = (ids: readonly string[], args: object = {}, options: Partial<Declared> = {}): Declared => {
  const groups = Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }]));
  return { name: "tenants", provider: "userGroups", args: { groups, ...args }, ...options };
};
const two = ["acme", "globex"];
const three = [...two, "initech"];
const large = (from: number, to: number, name = "tenants"): Declared => {
  const properties = { terms: "x".repeat(700 * 1024) };
  const entries = Array.from(
    { length: to - from },
    (_, n) => [`t${from + n}`, { name: "Acme", properties }] as const,
  );
  return { name, provider: "userGroups", args: { groups: Object.fromEntries(entries) } };
};

/** The type requires each code. */
export const errorCases: Readonly<Record<ErrorCode, ErrorCase>> = {
  "adoption-refused": {
    causes: [steps.exists, up(acme({ adopt: false }))],
    remedies: { "adoption for one up": after([up(acme())], acme({ adopt: false })) },
  },
  "argument-invalid": {
    causes: [steps.withProperties({ since: new Date(0) })],
    remedies: { "a string": after([steps.withProperties({ since: "1970-01-01" })]) },
  },
  cancelled: {
    causes: [steps.cancels(AbortSignal.abort()), up(acme())],
    remedies: { "the same command again": after([steps.cancels(new AbortController().signal)]) },
  },
  // test/commands has its remedy, because a process reads NODE_EXTRA_CA_CERTS at its start.
  "certificate-untrusted": { service: { tls: loopbackCertificate }, causes: [up(acme())], remedies: {} },
  "connection-failed": faulty(set(() => ({ baseUrl: closedUrl }))),
  "declared-twice": {
    causes: [up(acme(), renamed())],
    remedies: { "one declaration": after([]), "and a lookup": after([], acme(), lookup("acme")) },
  },
  "deletion-limit": {
    causes: [up(many(three, { deletionLimit: 2 })), preview(many([], { deletionLimit: 2 }))],
    remedies: { "a higher limit": after([], many([], { deletionLimit: 3 })) },
  },
  "groups-too-large": {
    causes: [preview(large(0, 13))],
    remedies: { "several resources": after([], large(0, 7), large(7, 13, "others")) },
  },
  "guard-dropped": {
    causes: [up(many(three, { deletionLimit: 2 })), preview(many(["acme"]))],
    remedies: {
      "a stated value": after([], many(["acme"], { deletionLimit: 2 })),
      "an up of its own": after([up(many(three))], many(["acme"])),
    },
  },
  "host-not-found": wrongAddress(() => `https://${unresolvable}.test`),
  "mapping-conflict": {
    causes: [up(acme(sales(1))), up(renamed(sales(2)))],
    remedies: {
      "other keepers": after([], renamed({ ...sales(2), keepers: { moved: "1" } })),
      "the previous program": after([], acme(sales(1))),
    },
  },
  "move-unconfirmed": {
    causes: [
      up(acme()),
      meets({ kind: "refuse" }),
      async ({ engine }) => {
        const { failures } = await engine.up([renamed()], { continuesOnError: true });
        return failures.at(-1)?.message;
      },
    ],
    remedies: { "the same command again, without the other error": after([heal], renamed()) },
  },
  "no-such-group": {
    causes: [up(lookup("acme"))],
    remedies: {
      "another ID": after([steps.exists, up(lookup("acme")), steps.gone]),
      "a declaration": after([]),
    },
  },
  "not-found": wrongAddress(({ emulator }) => `${emulator.baseUrl}/api/user`),
  "nothing-found": {
    causes: [up(acme()), set(({ emulator }) => ({ apiToken: emulator.addAccount().apiToken })), refresh],
    remedies: {
      "the former API token, the same command again": after([steps.rightToken, refresh]),
      "pulumi state delete in the right account": after([
        steps.gone,
        steps.newToken,
        steps.rightToken,
        forget,
      ]),
    },
  },
  "package-not-found": {
    causes: [() => steps.declaresIn("resourceOptions")],
    remedies: {
      "a direct dependency": after([() => steps.declaresIn("resourceOptions", { isInstalled: true })]),
    },
  },
  "partial-failure": {
    causes: [meets({ kind: "refuse", userGroupId: "globex" }), up(many(two))],
    remedies: { "pulumi up": after([heal], many(two)) },
  },
  "plugin-not-found": {
    causes: [() => steps.declaresIn("plugin")],
    remedies: {
      "the lines of the message": after([
        (_, message) => steps.declaresIn("plugin", { project: /^plugins:[^[]*/m.exec(message)?.[0] }),
      ]),
    },
  },
  redirected: {
    causes: [meets(redirect("https://login.example.com/start")), otherAddress, up(acme())],
    remedies: { "the right address": after([heal]) },
  },
  "removed-elsewhere": {
    causes: [up(many(two)), preview(many(["globex"]), acme({ name: "Tenant" }))],
    remedies: {
      dependsOn: after([], acme({ name: "Tenant" }), many(["globex"], {}, { dependsOn: ["acme"] })),
    },
  },
  "replacement-retained": {
    causes: [1, 2].map((source) => up(acme(sales(source), { retainOnDelete: true }))),
    remedies: {
      "the former values without the option, then the same command": after(
        [up(acme(sales(1)))],
        acme(sales(2)),
      ),
    },
  },
  "response-invalid": faulty(meets(changedField("user_group.token"))),
  "response-too-large": faulty(meets(padded(2 ** 20 + 1))),
  "service-changed": {
    causes: [up(acme()), otherAddress, destroy],
    remedies: {
      "the former address": after([steps.rightAddress]),
      "formerBaseUrl, if the service has moved": after([
        set(({ emulator }) => ({ formerBaseUrl: emulator.baseUrl })),
      ]),
    },
  },
  "service-refused": {
    causes: [up(acme()), steps.created, destroy],
    remedies: { "pulumi refresh, then the same command again": after([refresh, destroy]) },
  },
  "setting-conflict": {
    service: { existing: "update" },
    settings: { changes: "update" },
    causes: [up(acme({ adopt: false }))],
    remedies: {
      "adopt: true": after([]),
      "changes: replace": after([steps.replaces], acme({ adopt: false })),
    },
  },
  "setting-invalid": wrongAddress(() => "http://analytics.example.com"),
  "setting-missing": {
    causes: [
      ({ settings }) => {
        delete settings["apiToken"];
      },
      up(acme()),
    ],
    remedies: { "the setting": after([steps.rightToken]) },
  },
  "state-invalid": {
    causes: [up(acme()), rewrite('"token"', '"tokem"'), destroy],
    remedies: {
      "an earlier export": after([rewrite('"tokem"', '"token"')]),
      "pulumi state delete": after([forget]),
    },
  },
  "timed-out": faulty(meets(noResponse()), 0.1),
  unauthorized: {
    causes: [up(acme()), steps.newToken, refresh],
    remedies: { "the new API token": after([steps.rightToken]) },
  },
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
    remedies: {},
  },
  "unexpected-status": faulty(meets({ kind: "status", status: 503, retryAfter: 120 })),
  "update-not-applied": {
    settings: { changes: "update" },
    causes: [up(acme()), up(acme(long))],
    remedies: { "changes: replace": after([steps.replaces], acme(long)) },
  },
  "wrong-group": {
    service: { normalize: (group) => ({ ...group, userGroupId: group.userGroupId.toLowerCase() }) },
    causes: [up(acme({ userGroupId: "ACME" }))],
    remedies: { "the service's spelling of the ID": after([]) },
  },
};

/** A creation at an address that isn't the service's. */
function wrongAddress(addressIn: (context: Context) => string): ErrorCase {
  return {
    causes: [set((context) => ({ baseUrl: addressIn(context) })), up(acme())],
    remedies: { "the right address": after([steps.rightAddress]) },
  };
}

/** A creation whose requests all fail, until the service, or what is in between, works again. */
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
    remedies: { "the same command again": after([heal]) },
  };
}

function after(steps: Remedy["steps"], ...program: Program): Remedy {
  return { steps, program: program.length > 0 ? program : [acme()] };
}

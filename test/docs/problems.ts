/** One way to meet each error of the package, for its sample in docs/troubleshooting.md. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DeploymentTracker } from "../../provider/src/core/deploymentTracker";
import { userGroupLifecycle } from "../../provider/src/core/userGroupLifecycle";
import type { ErrorCode } from "../../provider/src/errors";
import { systemClock } from "../../provider/src/service/http/clock";
import type { EmulatorOptions, FaultKind } from "../../provider/src/testing";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { unresolvable, type Context, type ContextOptions } from "./context";
import { repository } from "./pages";
import { changedField, noResponse, otherGroup, padded, redirect } from "../harness/responseFaults";

export interface Problem extends ContextOptions {
  readonly service?: EmulatorOptions;
  /** Fails with the error, or returns its message. */
  readonly meet: (context: Context) => Promise<unknown>;
}

const acme = { userGroupId: "acme", name: "Acme" };
const held = { ...acme, token: "t0ken", adopted: false };
const [one, two] = [{ mapping: { sales: 1 } }, { mapping: { sales: 2 } }];

/** The type requires each code, so that no error lacks an entry here. */
export const problems: Readonly<Record<ErrorCode, Problem>> = {
  "adoption-ambiguous": {
    meet({ emulator, userGroup }) {
      emulator.fault({ kind: "status", status: 503, when: "after" });
      return userGroup.create({ ...acme, adopt: false });
    },
  },
  "adoption-refused": {
    meet({ emulator, userGroup }) {
      emulator.putGroup(acme);
      return userGroup.create({ ...acme, adopt: false });
    },
  },
  "argument-invalid": { meet: ({ userGroup }) => userGroup.create({ ...acme, name: "" }) },
  cancelled: { signal: AbortSignal.abort(), meet: create },
  "certificate-untrusted": { service: { tls: loopbackCertificate }, meet: create },
  "connection-failed": {
    environment: { USER_GROUPS_TIMEOUT: "0.1" },
    random: 0.999, // The pause after the first attempt is longer than the time that is left.
    async meet(context) {
      await context.emulator.stop();
      return create(context);
    },
  },
  "declared-twice": {
    async meet({ userGroup }) {
      await userGroup.check({}, { ...acme, __resource: "one" });
      const { failures = [] } = await userGroup.check({}, { ...acme, __resource: "other" });
      return failures[0]?.reason;
    },
  },
  "deletion-limit": {
    async meet({ userGroups }) {
      const groups = { acme: { name: "Acme" }, globex: { name: "Globex" }, initech: { name: "Initech" } };
      const wanted = { groups: {}, deletionLimit: 2 };
      await userGroups.check({ groups }, wanted);
      return userGroups.diff("user-groups", { groups }, wanted);
    },
  },
  "groups-too-large": {
    async meet({ userGroups }) {
      const properties = { terms: "x".repeat(9 * 1024 * 1024) };
      const { failures = [] } = await userGroups.check(
        {},
        { groups: { acme: { name: "Acme", properties } } },
      );
      return failures[0]?.reason;
    },
  },
  "host-not-found": { environment: { USER_GROUPS_BASE_URL: `https://${unresolvable}.test` }, meet: create },
  "mapping-conflict": {
    async meet({ userGroup }) {
      await userGroup.check({}, { ...acme, ...two, __resource: "renamed" });
      return userGroup.delete("acme", { ...held, ...one });
    },
  },
  "no-such-group": {
    meet: ({ emulator }) =>
      userGroupLifecycle({
        sources: {
          environment: { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken },
          configuration: { get: () => undefined },
        },
        tracker: new DeploymentTracker(),
        logger: { info: () => undefined, warn: () => undefined },
        clock: systemClock,
        signal: new AbortController().signal,
      }).read("acme", { name: "Acme" }, { mustExist: true }),
  },
  "not-found": meetFault({ kind: "status", status: 404 }),
  "package-not-found": { meet: declareInEmptyFolder },
  "partial-failure": {
    meet({ emulator, userGroups }) {
      emulator.fault({ kind: "refuse", userGroupId: "globex" });
      return userGroups.create({ groups: { acme: { name: "Acme" }, globex: { name: "Globex" } } });
    },
  },
  redirected: meetFault(redirect("https://login.example.com/start")),
  "replacement-retained": {
    async meet({ emulator, userGroup }) {
      const { token } = emulator.putGroup({ ...acme, ...one });
      const [former, wanted] = [
        { ...held, ...one, token },
        { ...acme, ...two },
      ];
      await userGroup.check({ ...acme, ...one }, wanted);
      await userGroup.diff("acme", former, wanted);
      return userGroup.create(wanted);
    },
  },
  "response-invalid": meetFault(changedField("user_group.token")),
  "response-too-large": meetFault(padded(2 ** 20 + 1)),
  "service-changed": {
    meet: ({ userGroup }) => userGroup.delete("acme", { ...held, baseUrl: "https://eu.example.com" }),
  },
  "service-refused": {
    meet({ emulator, userGroup }) {
      emulator.putGroup(acme);
      return userGroup.delete("acme", held);
    },
  },
  "setting-conflict": {
    environment: { USER_GROUPS_CHANGES: "update" },
    meet: ({ userGroup }) => userGroup.create({ ...acme, adopt: false }),
  },
  "setting-invalid": {
    environment: { USER_GROUPS_BASE_URL: "http://analytics.example.com" },
    meet: create,
  },
  "setting-missing": { environment: { USER_GROUPS_API_TOKEN: "" }, meet: create },
  "state-invalid": { meet: ({ userGroup }) => userGroup.delete("acme", { name: "Acme" }) },
  "timed-out": { ...meetFault(noResponse()), environment: { USER_GROUPS_TIMEOUT: "0.1" } },
  unauthorized: {
    meet(context) {
      context.emulator.rotateApiToken();
      return create(context);
    },
  },
  unexpected: {
    random() {
      throw new RangeError("A defect");
    },
    meet(context) {
      context.emulator.fault({ kind: "status", status: 503 });
      return create(context);
    },
  },
  "unexpected-status": meetFault({ kind: "status", status: 503, retryAfter: 120 }),
  "update-not-applied": {
    environment: { USER_GROUPS_CHANGES: "update" },
    meet({ emulator, userGroup }) {
      const former = { ...emulator.putGroup(acme), adopted: false };
      return userGroup.update("acme", former, { ...acme, name: "Acme Corporation" });
    },
  },
  "wrong-group": meetFault(otherGroup({ groups: new Map() })),
};

/** A creation whose every response has the fault. */
function meetFault(fault: FaultKind): Problem {
  return {
    meet(context) {
      context.emulator.fault({ ...fault, times: Infinity });
      return create(context);
    },
  };
}

function create({ userGroup }: Context): Promise<unknown> {
  return userGroup.create(acme);
}

const execute = promisify(execFile);

/** A program of the engine in a folder from which the package can't be found. Returns the message. */
async function declareInEmptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-program-"));
  const module = join(repository, "provider/dist/resources/resourceOptions.js");
  const program = `
    try { require(${JSON.stringify(module)}).resourceInputs("userGroup", {}, {}); }
    catch ({ message }) { process.stdout.write(message); }`;
  const env = { ...process.env, PULUMI_NODEJS_MONITOR: "127.0.0.1:1" };
  try {
    const { stdout } = await execute(process.execPath, ["--eval", program], { cwd: folder, env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

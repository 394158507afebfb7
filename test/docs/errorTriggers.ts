/** One way to trigger each error of the package, for its sample in docs/errors.md. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { lifecycleOf } from "../../provider/src/core/lifecycle";
import { userGroupShape } from "../../provider/src/core/shapes";
import type { ErrorCode } from "../../provider/src/errors";
import { jumpingClock } from "../harness/clock";
import { unresolvable, type ContextDependencies } from "../harness/providers";
import { testDeployment } from "../harness/testDeployment";
import type { DynamicProviders } from "../../provider/src/dynamic/dynamicProviders";
import type { Emulator, EmulatorOptions, FaultKind } from "../../provider/src/testing";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import { repository } from "./pages";
import { changedField, noResponse, otherGroup, padded, redirect } from "../harness/responseFaults";

interface Context extends DynamicProviders {
  readonly emulator: Emulator;
}

export interface ErrorTrigger extends ContextDependencies {
  readonly service?: EmulatorOptions;
  /** Fails with the error, or returns its message. */
  readonly trigger: (context: Context) => Promise<unknown>;
}

const acme = { userGroupId: "acme", name: "Acme" };
const stored = { ...acme, token: "t0ken", adopted: false };
const [one, two] = [{ mapping: { sales: 1 } }, { mapping: { sales: 2 } }];

/** The type requires each code. */
export const errorTriggers: Readonly<Record<ErrorCode, ErrorTrigger>> = {
  "adoption-ambiguous": {
    trigger({ emulator, userGroup }) {
      emulator.fault({ kind: "status", status: 503, when: "after" });
      return userGroup.create({ ...acme, adopt: false });
    },
  },
  "adoption-refused": {
    trigger({ emulator, userGroup }) {
      emulator.putGroup(acme);
      return userGroup.create({ ...acme, adopt: false });
    },
  },
  "argument-invalid": { trigger: ({ userGroup }) => userGroup.create({ ...acme, name: "" }) },
  cancelled: { signal: AbortSignal.abort(), trigger: create },
  "certificate-untrusted": { service: { tls: loopbackCertificate }, trigger: create },
  "connection-failed": {
    env: { USER_GROUPS_TIMEOUT: "1" },
    async trigger(context) {
      await context.emulator.stop();
      return create(context);
    },
  },
  "declared-twice": {
    async trigger({ userGroup }) {
      await userGroup.check({}, { ...acme, __resource: "one" });
      const { failures = [] } = await userGroup.check({}, { ...acme, __resource: "other" });
      return failures[0]?.reason;
    },
  },
  "deletion-limit": {
    async trigger({ userGroups }) {
      const groups = { acme: { name: "Acme" }, globex: { name: "Globex" }, initech: { name: "Initech" } };
      const wanted = { groups: {}, deletionLimit: 2 };
      await userGroups.check({ groups }, wanted);
      const tokens = { acme: "t1", globex: "t2", initech: "t3" };
      return userGroups.diff("user-groups", { groups, tokens }, wanted);
    },
  },
  "groups-too-large": {
    async trigger({ userGroups }) {
      const properties = { terms: "x".repeat(700 * 1024) };
      const groups = Object.fromEntries(
        Array.from({ length: 13 }, (_, n) => [`t${n}`, { name: "Acme", properties }]),
      );
      const { failures = [] } = await userGroups.check({}, { groups });
      return failures[0]?.reason;
    },
  },
  "host-not-found": {
    env: { USER_GROUPS_BASE_URL: `https://${unresolvable}.test` },
    trigger: create,
  },
  "mapping-conflict": {
    async trigger({ emulator, userGroup }) {
      const { token } = emulator.putGroup({ ...acme, ...one });
      await userGroup.check({}, { ...acme, ...two, __resource: "renamed" });
      await userGroup.create({ ...acme, ...two });
      return userGroup.delete("acme", { ...stored, ...one, token });
    },
  },
  "move-unconfirmed": {
    async trigger({ emulator, userGroup }) {
      emulator.fault({ kind: "refuse" });
      await userGroup.check({}, { ...acme, __resource: "renamed" });
      await userGroup.create(acme).catch(() => undefined);
      return userGroup.delete("acme", stored);
    },
  },
  "no-such-group": {
    trigger({ emulator: { baseUrl, apiToken } }) {
      const lifecycle = lifecycleOf(userGroupShape, testDeployment({ baseUrl, apiToken }));
      const request = { resource: undefined, id: "acme", state: { name: "Acme" } };
      return lifecycle.read(request, { mustExist: true });
    },
  },
  "not-found": triggeredBy({ kind: "status", status: 404 }),
  "nothing-found": { trigger: ({ userGroup }) => userGroup.read("acme", stored) },
  "overlap-id-taken": {
    trigger({ emulator, userGroup }) {
      emulator.fault({ ...changedField("new_user_group", false), times: Infinity });
      return userGroup.update("acme", stored, { ...acme, name: "Acme Corporation", overlap: true });
    },
  },
  "package-not-found": { trigger: declareInEmptyFolder },
  "partial-failure": {
    trigger({ emulator, userGroups }) {
      emulator.fault({ kind: "refuse", userGroupId: "globex" });
      return userGroups.create({ groups: { acme: { name: "Acme" }, globex: { name: "Globex" } } });
    },
  },
  "plugin-not-found": { trigger: declareWithoutPlugin },
  redirected: triggeredBy(redirect("https://login.example.com/start")),
  "replacement-retained": {
    async trigger({ emulator, userGroup }) {
      const { token } = emulator.putGroup({ ...acme, ...one });
      const [former, wanted] = [
        { ...stored, ...one, token },
        { ...acme, ...two },
      ];
      await userGroup.check({ ...acme, ...one }, wanted);
      await userGroup.diff("acme", former, wanted);
      return userGroup.create(wanted);
    },
  },
  "response-invalid": triggeredBy(changedField("user_group.token")),
  "response-too-large": triggeredBy(padded(2 ** 20 + 1)),
  "service-changed": {
    trigger: ({ userGroup }) => userGroup.delete("acme", { ...stored, baseUrl: "https://eu.example.com" }),
  },
  "service-refused": {
    trigger({ emulator, userGroup }) {
      emulator.putGroup(acme);
      return userGroup.delete("acme", stored);
    },
  },
  "setting-conflict": {
    env: { USER_GROUPS_CHANGES: "update" },
    trigger: ({ userGroup }) => userGroup.create({ ...acme, adopt: false }),
  },
  "setting-invalid": {
    env: { USER_GROUPS_BASE_URL: "http://analytics.example.com" },
    trigger: create,
  },
  "setting-missing": { env: { USER_GROUPS_API_TOKEN: "" }, trigger: create },
  "state-invalid": { trigger: ({ userGroup }) => userGroup.delete("acme", { name: "Acme" }) },
  "timed-out": {
    ...triggeredBy(noResponse()),
    env: { USER_GROUPS_TIMEOUT: "0.1" },
    clock: jumpingClock(() => 0),
  },
  unauthorized: {
    trigger(context) {
      context.emulator.rotateApiToken();
      return create(context);
    },
  },
  unexpected: {
    clock: jumpingClock(() => {
      throw new RangeError("A defect");
    }),
    trigger(context) {
      context.emulator.fault({ kind: "status", status: 503 });
      return create(context);
    },
  },
  "unexpected-status": triggeredBy({ kind: "status", status: 503, retryAfter: 120 }),
  "update-not-applied": {
    env: { USER_GROUPS_CHANGES: "update" },
    trigger({ emulator, userGroup }) {
      const former = { ...emulator.putGroup(acme), adopted: false };
      return userGroup.update("acme", former, { ...acme, name: "Acme Corporation" });
    },
  },
  "wrong-group": triggeredBy(otherGroup({ groups: new Map() })),
};

/** A create whose responses all have the fault. */
function triggeredBy(fault: FaultKind): ErrorTrigger {
  return {
    trigger(context) {
      context.emulator.fault({ ...fault, times: Infinity });
      return create(context);
    },
  };
}

function create({ userGroup }: Context): Promise<unknown> {
  return userGroup.create(acme);
}

const execute = promisify(execFile);

/** Runs a program in a folder from which the package can't be found. Returns the message. */
function declareInEmptyFolder(): Promise<string> {
  return declareIn("resourceOptions", 'resourceInputs("userGroup", {}, {}, {})');
}

/** Runs a program of a project that doesn't name the plugin. Returns the message. */
function declareWithoutPlugin(): Promise<string> {
  const project = `require("fs").writeFileSync("Pulumi.yaml", "name: tests")`;
  return declareIn("plugin", `UserGroup.get(${project}, "acme", { name: "Acme" })`);
}

async function declareIn(module: string, call: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "user-groups-program-"));
  const file = join(repository, "provider/src/resources", `${module}.ts`);
  const program = `
    try { require(${JSON.stringify(file)}).${call}; }
    catch ({ message }) { process.stdout.write(message); }`;
  const env = {
    ...process.env,
    TS_NODE_PROJECT: join(repository, "tsconfig.json"),
    PULUMI_HOME: folder,
    PULUMI_NODEJS_MONITOR: "127.0.0.1:1",
  };
  try {
    const args = ["--require", require.resolve("ts-node/register/transpile-only"), "--eval", program];
    const { stdout } = await execute(process.execPath, args, { cwd: folder, env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One way to meet each error of the package, for the sample that docs/troubleshooting.md has of it. */
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProblemCode } from "../../provider/src/errors";
import { userGroup, userGroups } from "../../provider/src/provider";
import { providerText } from "../../provider/src/resource";
import type { Emulator, FaultKind } from "../../provider/src/testing";
import { loopbackCertificate } from "../unit/testing/loopbackCertificate";
import type { WorldOptions } from "../unit/world";

export interface Problem {
  /** The service and the environment in which it is met; the address and the API token of the service otherwise. */
  readonly world?: WorldOptions;
  /** Fails with the error. */
  readonly meet: (emulator: Emulator) => Promise<unknown>;
}

const acme = { userGroupId: "acme", name: "Acme" };
const token = "t0ken";

/** The type asks for each code, so that none can be thrown without a place here. */
export const problems: Readonly<Record<ProblemCode, Problem>> = {
  "adoption-refused": {
    meet: (emulator) => {
      emulator.putGroup(acme);
      return userGroup.create({ ...acme, adopt: false });
    },
  },
  "answer-invalid": meetFault({ kind: "field", field: "user_group.token" }),
  "answer-too-large": meetFault({ kind: "huge", bytes: 2 ** 20 + 1 }),
  "argument-invalid": { meet: () => userGroup.create({ ...acme, name: "" }) },
  "certificate-untrusted": { world: { tls: loopbackCertificate }, meet: create },
  "connection-failed": {
    world: { env: { USER_GROUPS_TIMEOUT: "0.1" } },
    meet: async (emulator) => {
      Math.random = () => 0.999; // The pause after the first attempt is longer than the time that is left.
      await emulator.stop();
      return create();
    },
  },
  "deletion-limit": {
    meet: async () => {
      const groups = { acme: { name: "Acme" }, globex: { name: "Globex" }, initech: { name: "Initech" } };
      return userGroups.diff("user-groups", { groups }, { groups: {}, deletionLimit: 2 });
    },
  },
  "host-not-found": {
    world: { env: { USER_GROUPS_BASE_URL: "https://nowhere.test" } },
    meet: create,
  },
  "not-found": meetFault({ kind: "status", status: 404 }),
  "package-not-found": {
    world: { env: { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" } },
    meet: () => inEmptyFolder(() => providerText("userGroup")),
  },
  "record-invalid": { meet: () => userGroup.delete("acme", { name: "Acme" }) },
  redirected: meetFault({ kind: "redirect", location: "https://login.example.com/start" }),
  "service-refused": {
    meet: (emulator) => {
      emulator.putGroup(acme);
      return userGroup.delete("acme", { ...acme, token, adopted: false });
    },
  },
  "setting-invalid": {
    world: { env: { USER_GROUPS_BASE_URL: "http://analytics.example.com" } },
    meet: create,
  },
  "setting-missing": { world: { env: { USER_GROUPS_API_TOKEN: "" } }, meet: create },
  "timed-out": meetFault({ kind: "hang" }, "0.1"),
  unauthorized: {
    meet: (emulator) => {
      emulator.rotateApiToken();
      return create();
    },
  },
  "unexpected-status": meetFault({ kind: "status", status: 503, retryAfter: 120 }),
  unfinished: {
    meet: async (emulator) => {
      emulator.fault({ kind: "refuse", userGroupId: "globex" });
      return userGroups.create({ groups: { acme: { name: "Acme" }, globex: { name: "Globex" } } });
    },
  },
  "update-not-applied": {
    world: { env: { USER_GROUPS_CHANGES: "update" } },
    meet: (emulator) => {
      const held = { ...emulator.putGroup(acme), adopted: false };
      return userGroup.update("acme", held, { ...acme, name: "Acme Corporation" });
    },
  },
  "wrong-group": meetFault({ kind: "wrongGroup" }),
};

/** A creation that the service always answers so. */
function meetFault(fault: FaultKind, timeout = "60"): Problem {
  return {
    world: { env: { USER_GROUPS_TIMEOUT: timeout } },
    meet: (emulator) => {
      emulator.fault({ ...fault, times: Infinity });
      return create();
    },
  };
}

function create(): Promise<unknown> {
  return userGroup.create(acme);
}

async function inEmptyFolder(use: () => unknown): Promise<unknown> {
  const folder = await fs.mkdtemp(join(tmpdir(), "user-groups-program-"));
  const before = process.cwd();
  process.chdir(folder);
  try {
    return use();
  } finally {
    process.chdir(before);
    await fs.rm(folder, { recursive: true });
  }
}

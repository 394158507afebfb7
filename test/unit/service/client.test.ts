import assert from "node:assert/strict";
import { newGroupClient, type GroupClient } from "../../../provider/src/service/client";
import type { Emulator } from "../../../provider/src/testing";
import { instantClock } from "../../harness/clock";
import { emulatorTest } from "../../harness/emulatorTest";
import { failureOf } from "../../harness/providers";

const acme = { userGroupId: "acme", name: "Acme" };

function clientOf({ baseUrl, apiToken }: Emulator, clock = instantClock()): GroupClient {
  const settings = { baseUrl, apiToken, timeout: 10, maxConnections: 16, changes: "replace" } as const;
  const context = {
    settings,
    clock,
    signal: new AbortController().signal,
    logger: { info: () => undefined },
    retryCauses: new Set<string>(),
  };
  return newGroupClient(context, { operation: "create", userGroupId: "acme" });
}

describe("the client", () => {
  const basePath = "/tenant/with%20space";
  emulatorTest("appends the contract's path to a base URL with a path", { basePath }, async (emulator) => {
    const { group } = await clientOf(emulator).getOrCreate(acme);
    await clientOf(emulator).delete({ ...acme, token: group.token });
    const paths = emulator.requests.map(({ path, effect }) => `${path} ${effect}`);
    assert.deepEqual(paths, [`${basePath}/api/user created`, `${basePath}/api/user deleted`]);
  });

  emulatorTest("has one time budget for all requests of an operation", {}, async (emulator) => {
    const clock = instantClock();
    const client = clientOf(emulator, clock);
    emulator.fault({ kind: "status", status: 503, retryAfter: 9 });
    await client.getOrCreate(acme);
    emulator.fault({ kind: "status", status: 503, retryAfter: 2 });
    assert.equal((await failureOf(client.getOrCreate(acme))).code, "unexpected-status");
    assert.deepEqual(clock.pauses, [9000]);
  });
});

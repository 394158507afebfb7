/** What the other suites, which all use the emulator, don't show of it. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { inspect } from "node:util";
import { startEmulator } from "../../../provider/testing";
import { until } from "../../support/harness/clock";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { noResponse } from "../../support/harness/responseFaults";
import { loopbackCertificate } from "./loopbackCertificate";
import { send } from "./rawRequest";

const acme = { user_group_id: "acme", name: "Acme" };

describe("the emulator", () => {
  emulatorTest("applies faults to the requests that they are for, in their order", {}, async (emulator) => {
    emulator.fault({ kind: "delay", ms: 1, userGroupId: "bolt" });
    emulator.fault({ kind: "refuse", method: "GET", skip: 1, times: 2 });
    emulator.fault({ kind: "status", status: 503, times: Infinity, method: "DELETE" });
    for (const method of ["GET", "DELETE", "GET", "GET", "GET"]) await send(emulator, { method, body: acme });
    emulator.fault({ kind: "drop", when: "before", customer: "cork" });
    for (const id of ["bolt", "bolt~0a1b2c3d", "cork~0a1b2c3d"])
      await send(emulator, { body: { ...acme, user_group_id: id } }).catch(() => undefined);
    const hits = emulator.requests.map(({ fault }) => fault?.kind);
    assert.deepEqual(hits, [undefined, "status", "refuse", "refuse", undefined, "delay", undefined, "drop"]);
  });

  emulatorTest("logs a line for each request, and shows no secret", {}, async (emulator) => {
    await send(emulator, { body: { ...acme, properties: { plan: "gold" } } });
    await send(emulator, { path: `/api/users?t=${emulator.apiToken}` });
    const unknown = "GET /api/users refused 404 (unknown path /api/users)";
    assert.deepEqual(emulator.requests.map(String), ['GET "acme" created 200', unknown]);
    const printed = inspect(emulator, { depth: 9 }) + JSON.stringify(emulator.requests);
    const token = emulator.groups.get("acme")?.token ?? "";
    for (const secret of [token, emulator.apiToken, "gold"]) assert(!printed.includes(secret), printed);
  });

  emulatorTest("refuses a body of more than 2 MiB, and reads it to its end", {}, async (emulator) => {
    const sized = (bytes: number) => {
      const rest = JSON.stringify({ ...acme, properties: { text: "" } }).length;
      return { ...acme, properties: { text: "x".repeat(bytes - rest) } };
    };
    const sent = [2 * 2 ** 20, 2 * 2 ** 20 + 1].map(
      async (bytes) => (await send(emulator, { body: sized(bytes) })).status,
    );
    assert.deepEqual(await Promise.all(sent), [200, 413]);
  });

  it("closes connections during a handshake and a response when it stops, twice too", async () => {
    const emulator = await startEmulator({ tls: loopbackCertificate });
    const idle = connect(Number(new URL(emulator.baseUrl).port), "127.0.0.1").on("error", () => undefined);
    emulator.fault(noResponse());
    const response = assert.rejects(send(emulator, { body: acme, ca: loopbackCertificate.cert }));
    await until(() => emulator.requests.length === 1);
    await Promise.all([emulator.stop(), emulator.stop()]);
    await response;
    await until(() => idle.closed);
  });
});

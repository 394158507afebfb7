import assert from "node:assert/strict";
import { Agent } from "node:http";
import { connect } from "node:net";
import { startEmulator } from "../../../provider/src/testing";
import { emulatorTest } from "../../harness/emulatorTest";
import { noResponse } from "../../harness/responseFaults";
import { until } from "../../harness/until";
import { loopbackCertificate } from "./loopbackCertificate";
import { open, send } from "./rawRequest";

const body = { user_group_id: "acme", name: "Acme" };
const authorizedBy = (authorization: string) => ({ body, headers: { authorization } });

describe("startEmulator", () => {
  it("listens on a free loopback port, with a random API token", async () => {
    const [one, two] = await Promise.all([startEmulator(), startEmulator()]);
    await Promise.all([one.stop(), two.stop()]);
    assert.match(one.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(one.baseUrl, two.baseUrl);
    assert.notEqual(one.apiToken, two.apiToken);
  });

  emulatorTest("rejects if its port is used", {}, async ({ baseUrl }) => {
    await assert.rejects(startEmulator({ port: Number(new URL(baseUrl).port) }), { code: "EADDRINUSE" });
  });

  emulatorTest("serves its base path only", { basePath: "/tenant/v1" }, async (emulator) => {
    assert.match(emulator.baseUrl, /:\d+\/tenant\/v1$/);
    assert.equal((await send(emulator, { body })).status, 200);
    assert.equal((await send(emulator, { body, path: "/../api/user" })).status, 404);
  });

  emulatorTest("serves https with a certificate", { tls: loopbackCertificate }, async (emulator) => {
    assert.match(emulator.baseUrl, /^https:/);
    await assert.rejects(send(emulator, { body }), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    assert.equal((await send(emulator, { body, ca: loopbackCertificate.cert })).status, 200);
    assert.equal(emulator.requests.length, 1);
  });

  const wrong: [options: object, reason: string][] = [
    [{ port: 65_536 }, " port: must be an integer from 0 to 65535"],
    [{ port: "80" }, " port: must be an integer from 0 to 65535"],
    [{ existing: "replace" }, ' existing: Invalid option: expected one of "keep"|"update"'],
    [{ basePath: "api/" }, ' basePath: must be "" or a path such as "/tenant/v1"'],
    [{ apiToken: "two words" }, " apiToken: must be printable ASCII without blanks"],
    [{ latency: "1s" }, " latency: must be a number of milliseconds, 0 or more"],
    [{ exist: "keep" }, ': Unrecognized key: "exist"'],
  ];
  for (const [options, reason] of wrong)
    it(`rejects the option${reason}`, async () => {
      const message = `Emulator option${reason}`;
      await assert.rejects(startEmulator(options), { name: "TypeError", message });
    });
});

describe("emulator", () => {
  emulatorTest("refuses requests without its API token", { apiToken: "right" }, async (emulator) => {
    for (const authorization of ["", "Token wrong", "Bearer right", "token right"]) {
      const { status, text } = await send(emulator, authorizedBy(authorization));
      assert.deepEqual([status, text], [401, '{"success":0}'], authorization);
    }
    await send(emulator, { body });
    const authorized = emulator.requests.map((request) => request.authorized);
    assert.deepEqual(authorized, [false, false, false, false, true]);
  });

  emulatorTest("changes its API token at run time", {}, async (emulator) => {
    const former = authorizedBy(`Token ${emulator.apiToken}`);
    assert.equal(emulator.rotateApiToken("new"), "new");
    assert.equal((await send(emulator, former)).status, 401);
    assert.equal((await send(emulator, { body })).status, 200);
    assert.notEqual(emulator.rotateApiToken(), "new");
  });

  emulatorTest("responds 404 to other paths, and 405 to other methods", {}, async (emulator) => {
    for (const [options, status] of [
      [{ path: "/api/users" }, 404],
      [{ path: "/api/user?x=1" }, 200],
      [{ method: "POST" }, 405],
    ] as const)
      assert.equal((await send(emulator, { body, ...options })).status, status);
  });

  emulatorTest("changes the given options at run time", { emptyProperties: "null" }, async (emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Before" });
    emulator.configure({ existing: "update" });
    assert.match((await send(emulator, { body })).text, /"name":"Acme".*"properties":null/);
  });

  emulatorTest("responds later with a latency", { latency: 50 }, async (emulator) => {
    const start = performance.now();
    await send(emulator, { body });
    assert(performance.now() - start >= 49);
  });

  emulatorTest("lets a test change the groups", {}, (emulator) => {
    const { token, teamId } = emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { a: 1 } });
    const changed = { userGroupId: "acme", name: "Acme", properties: { b: 2 } };
    assert.deepEqual(emulator.putGroup(changed), { ...changed, token, teamId });
    assert.equal(emulator.renameGroup("acme", "Theirs").token, token);
    assert.notEqual(emulator.rotateToken("acme").token, token);
    assert.equal(emulator.rotateToken("acme", "t0ken").token, "t0ken");
    assert.equal(emulator.groups.get("acme")?.name, "Theirs");
    assert.deepEqual([emulator.removeGroup("acme"), emulator.removeGroup("acme")], [true, false]);
    assert.throws(() => emulator.renameGroup("acme", "Ours"), /holds no user group "acme"/);
    return Promise.resolve();
  });

  emulatorTest("counts connections, and numbers them in the log", {}, async (emulator) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    await Promise.all([1, 2, 3, 4].map(() => send(emulator, { body, agent })));
    await send(emulator, { body, agent: new Agent() });
    agent.destroy();
    await until(() => emulator.openConnections === 0);
    assert.deepEqual([emulator.connections, emulator.peakConnections], [3, 3]);
    assert.deepEqual(new Set(emulator.requests.map(({ connection }) => connection)), new Set([1, 2, 3]));
  });

  it("stops during a response and with idle connections, twice too", async () => {
    const emulator = await startEmulator({ tls: loopbackCertificate });
    const idle = connect(Number(new URL(emulator.baseUrl).port), "127.0.0.1").on("error", () => undefined);
    emulator.fault(noResponse());
    const response = assert.rejects(open(emulator, { body, ca: loopbackCertificate.cert }));
    await until(() => emulator.requests.length === 1);
    await Promise.all([emulator.stop(), emulator.stop()]);
    await response;
    await until(() => idle.closed);
    assert.equal(emulator.openConnections, 0);
    await assert.rejects(send(emulator, { body }), { code: "ECONNREFUSED" });
  });
});

import assert from "node:assert/strict";
import { Agent } from "node:http";
import { connect } from "node:net";
import { startEmulator } from "../../../provider/src/testing";
import { loopbackCertificate } from "./loopbackCertificate";
import { getOrCreate, send, until, withEmulator } from "./world";
import { noResponse } from "../../harness/responseFaults";

const acme = { user_group_id: "acme", name: "Acme" };

describe("startEmulator", () => {
  it("listens on a free loopback port and makes up an API token", async () => {
    const [one, two] = await Promise.all([startEmulator(), startEmulator()]);
    await Promise.all([one.stop(), two.stop()]);
    assert.match(one.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(one.baseUrl, two.baseUrl);
    assert.notEqual(one.apiToken, two.apiToken);
  });

  it("listens on the port it is given, and rejects where that is taken", () =>
    withEmulator({}, async ({ baseUrl }) => {
      await assert.rejects(startEmulator({ port: Number(new URL(baseUrl).port) }), { code: "EADDRINUSE" });
    }));

  it("answers below its base path only", () =>
    withEmulator({ basePath: "/tenant/v1" }, async (emulator) => {
      assert.match(emulator.baseUrl, /:\d+\/tenant\/v1$/);
      assert.equal((await getOrCreate(emulator, acme)).status, 200);
      assert.equal((await getOrCreate(emulator, acme, { path: "/../api/user" })).status, 404);
    }));

  it("speaks https with a certificate", () =>
    withEmulator({ tls: loopbackCertificate }, async (emulator) => {
      assert.match(emulator.baseUrl, /^https:/);
      await assert.rejects(getOrCreate(emulator, acme), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
      assert.equal((await getOrCreate(emulator, acme, { ca: loopbackCertificate.cert })).status, 200);
      assert.equal(emulator.requests.length, 1);
    }));

  it("rejects with the name of a wrong option", async () => {
    const message = "Emulator option port: must be an integer from 0 to 65535";
    await assert.rejects(startEmulator({ port: -1 }), { name: "TypeError", message });
  });
});

describe("emulator", () => {
  it("refuses requests without its API token", () =>
    withEmulator({ apiToken: "right" }, async (emulator) => {
      for (const authorization of ["", "Token wrong", "Bearer right", "token right"]) {
        const answer = await getOrCreate(emulator, acme, { headers: { authorization } });
        assert.deepEqual([answer.status, answer.json], [401, { success: 0 }], authorization);
      }
      await getOrCreate(emulator, acme);
      assert.deepEqual(
        emulator.requests.map(({ authorized }) => authorized),
        [false, false, false, false, true],
      );
    }));

  it("answers 404 to other paths and 405 to other methods", () =>
    withEmulator({}, async (emulator) => {
      assert.equal((await send(emulator, { path: "/api/users", body: acme })).status, 404);
      assert.equal((await send(emulator, { path: "/api/user?x=1", body: acme })).status, 200);
      assert.equal((await send(emulator, { method: "POST", body: acme })).status, 405);
    }));

  it("changes its behavior at run time, and only what is given", () =>
    withEmulator({ emptyProperties: "null" }, async (emulator) => {
      emulator.putGroup({ userGroupId: "acme", name: "Before" });
      emulator.configure({ existing: "update" });
      const { text } = await getOrCreate(emulator, acme);
      assert.match(text, /"name":"Acme".*"properties":null/);
    }));

  it("answers later with a latency", () =>
    withEmulator({ latency: 50 }, async (emulator) => {
      const started = performance.now();
      await getOrCreate(emulator, acme);
      assert.ok(performance.now() - started >= 49);
    }));

  it("lets somebody else change the groups", () =>
    withEmulator({}, async (emulator) => {
      const { token, teamId } = emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { a: 1 } });
      const replaced = emulator.putGroup({ userGroupId: "acme", name: "Acme", properties: { b: 2 } });
      assert.deepEqual(replaced, { userGroupId: "acme", name: "Acme", properties: { b: 2 }, token, teamId });
      assert.equal(emulator.renameGroup("acme", "Theirs").token, token);
      assert.notEqual(emulator.rotateToken("acme").token, token);
      assert.equal(emulator.rotateToken("acme", "t0ken").token, "t0ken");
      assert.equal(emulator.groups.get("acme")?.name, "Theirs");
      assert.deepEqual([emulator.removeGroup("acme"), emulator.removeGroup("acme")], [true, false]);
      assert.throws(() => emulator.renameGroup("acme", "Ours"), /holds no user group "acme"/);
      return Promise.resolve();
    }));

  it("takes another API token from one request to the next", () =>
    withEmulator({}, async (emulator) => {
      const authorization = `Token ${emulator.apiToken}`;
      assert.equal(emulator.rotateApiToken("new"), "new");
      assert.equal((await getOrCreate(emulator, acme, { headers: { authorization } })).status, 401);
      assert.equal((await getOrCreate(emulator, acme)).status, 200);
      assert.notEqual(emulator.rotateApiToken(), "new");
    }));

  it("counts connections and numbers them in the log", () =>
    withEmulator({}, async (emulator) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 2 });
      await Promise.all([1, 2, 3, 4].map(() => getOrCreate(emulator, acme, { agent })));
      await getOrCreate(emulator, acme, { agent: new Agent() });
      agent.destroy();
      await until(() => emulator.openConnections === 0);
      assert.deepEqual([emulator.connections, emulator.peakConnections], [3, 3]);
      assert.deepEqual(new Set(emulator.requests.map(({ connection }) => connection)), new Set([1, 2, 3]));
    }));

  it("stops in the middle of answers and with idle connections, twice if need be", async () => {
    const emulator = await startEmulator({ tls: loopbackCertificate });
    const idle = connect(Number(new URL(emulator.baseUrl).port), "127.0.0.1").on("error", () => undefined);
    emulator.fault(noResponse());
    const answer = assert.rejects(getOrCreate(emulator, acme, { ca: loopbackCertificate.cert }));
    await until(() => emulator.requests.length === 1);
    await Promise.all([emulator.stop(), emulator.stop()]);
    await answer;
    await until(() => idle.closed);
    assert.equal(emulator.openConnections, 0);
    await assert.rejects(getOrCreate(emulator, acme), { code: "ECONNREFUSED" });
  });
});

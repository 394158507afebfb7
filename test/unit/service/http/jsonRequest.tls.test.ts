import assert from "node:assert/strict";
import https from "node:https";
import { send } from "../../../../provider/src/service/http/attempt";
import { startEmulator, type Emulator } from "../../../../provider/src/testing";
import { emulatorTest } from "../../../harness/emulatorTest";
import { withProxy, type Proxy } from "../../../harness/proxy";
import { loopbackCertificate as tls } from "../../testing/loopbackCertificate";
import { inChild, type Task } from "./child";
import { faultOf, methods, request } from "./requests";

const wrongHost = "no trusted TLS connection was possible (ERR_TLS_CERT_ALTNAME_INVALID), 1 attempts";
const untrusted = /^no trusted TLS connection was possible \((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*\)/;

describe("a request over https", () => {
  for (const method of methods)
    emulatorTest(`by ${method} isn't sent without trust, or without TLS`, { tls }, async (emulator) => {
      const { fault, attempts } = await faultOf(request(emulator, { method }));
      assert.match(fault.message, untrusted);
      assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["tls", false, 1]);
      assert.deepEqual(emulator.requests, []);
      const plain = await startEmulator();
      const url = plain.baseUrl.replace("http:", "https:");
      const other = await faultOf(request(plain, { method, url }));
      await plain.stop();
      assert.deepEqual([other.fault.failure, other.attempts, plain.requests], ["tls", 1, []]);
    });

  emulatorTest("trusts NODE_EXTRA_CA_CERTS for the host of the certificate", { tls }, async (emulator) => {
    assert.deepEqual(await inChild(sixAndWrongHost(emulator)), [...sixSuccesses, wrongHost]);
    assert.equal(emulator.requests.length, 6);
    assert.equal(new Set(emulator.requests.map(({ connection }) => connection)).size, 2);
    assert(emulator.requests.every(({ authorized, headers }) => authorized && headers["content-length"]));
  }).timeout("60s");
});

describe("an attempt over https", () => {
  for (const [what, former, count] of [
    ["on a new connection", 0, 1],
    ["on a kept connection", 1, 1],
    ["after waiting for a connection", 0, 3],
  ] as const)
    emulatorTest(`is known to be sent ${what}`, { tls }, async ({ baseUrl }) => {
      const agent = new https.Agent({ ca: tls.cert, keepAlive: true, maxSockets: 1 });
      const { signal } = new AbortController();
      const url = new URL(`${baseUrl}/api/user`);
      const target = { method: "GET", url, authorization: "", body: {} } as const;
      let sent = 0;
      const onSent = () => {
        sent += 1;
      };
      const attempt = () => send(target, { agent, signal, onSent });
      for (let n = 0; n < former; n += 1) await attempt();
      await Promise.all(Array.from({ length: count }, attempt));
      assert.equal(sent, former + count);
      agent.destroy();
    });
});

describe("a request through a proxy", () => {
  for (const proxyTls of [undefined, tls])
    proxyTest(
      `over ${proxyTls ? "TLS" : "TCP"} is tunneled, and the proxy sees neither tokens nor bodies`,
      proxyTls,
      async (emulator, proxy) => {
        const env = { https_proxy: proxy.url };
        assert.deepEqual(await inChild(sixAndWrongHost(emulator), { env }), [...sixSuccesses, wrongHost]);
        const { host, port } = new URL(emulator.baseUrl);
        assert.deepEqual([...proxy.connects].sort(), [host, host, `localhost:${port}`]);
        assert.deepEqual([proxy.others, emulator.requests.length], [[], 6]);
        assert.match(proxy.received(), /host\n127\.0\.0\.1:/i);
        assert(proxy.received().length > 1000);
        for (const secret of [emulator.apiToken, "authorization"])
          assert(!proxy.received().toLowerCase().includes(secret));
      },
    );

  proxyTest("sends the proxy its credentials", undefined, async (emulator, proxy) => {
    const env = { https_proxy: proxy.url.replace("//", "//me:p%40ss%@") };
    assert.deepEqual(await inChild(oneOfEach(emulator), { env }), sixSuccesses.slice(0, 2));
    const expected = `proxy-authorization\nBasic ${Buffer.from("me:p@ss%").toString("base64")}`;
    assert(proxy.received().includes(expected), proxy.received().slice(0, 300));
  });
});

describe("NODE_TLS_REJECT_UNAUTHORIZED=0", () => {
  for (const [what, isProxied, proxyTls, connects, outcome] of [
    ["the service's certificate", false, undefined, 0, untrusted],
    ["the service's certificate, behind a proxy", true, undefined, 2, untrusted],
    ["the proxy's certificate", true, tls, 0, /^the proxy opened no tunnel \((DEPTH_ZERO_)?SELF_SIGNED_CERT/],
  ] as const)
    proxyTest(`doesn't disable the check of ${what}`, proxyTls, async (emulator, proxy) => {
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0", ...(isProxied && { https_proxy: proxy.url }) };
      const outcomes = await inChild(oneOfEach(emulator), { env, isTrusted: false });
      for (const each of outcomes) assert.match(each, outcome);
      assert.deepEqual([proxy.connects.length, emulator.requests], [connects, []]);
    });
});

const sixSuccesses = new Array<string>(6).fill("status 200, 1 attempts");

function oneOfEach({ baseUrl, apiToken }: Emulator): Task[] {
  return methods.map((method) => ({ method, url: `${baseUrl}/api/user`, apiToken, maxConnections: 2 }));
}

/** Three requests of each method at once over two connections, and one to a host that the certificate doesn't name. */
function sixAndWrongHost(emulator: Emulator): Task[] {
  const url = `${emulator.baseUrl}/api/user`.replace("127.0.0.1", "localhost");
  const wrong: Task = { method: "GET", url, apiToken: emulator.apiToken, maxConnections: 2 };
  return [...oneOfEach(emulator), ...oneOfEach(emulator), ...oneOfEach(emulator), wrong];
}

/** Declares a test with a service and a proxy of its own. `proxyTls`: the proxy's certificate. */
function proxyTest(
  title: string,
  proxyTls: typeof tls | undefined,
  test: (emulator: Emulator, proxy: Proxy) => Promise<void>,
): void {
  emulatorTest(title, { tls }, (emulator) =>
    withProxy({ tls: proxyTls }, (proxy) => test(emulator, proxy)),
  ).timeout("60s");
}

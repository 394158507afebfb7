import assert from "node:assert/strict";
import type { Emulator } from "../../provider/src/testing";
import { askInChild, sixAndWrongHost } from "./child";
import { ask, faultOf, FixedDeadline, methods } from "./exchanges";
import { startProxy, type Proxy } from "./proxy";
import { loopbackCertificate } from "./testing/loopbackCertificate";
import { inWorld } from "./world";

const tls = loopbackCertificate;
const trusted = loopbackCertificate.cert;
const wrongHost = { failure: "no trusted TLS connection could be made (ERR_TLS_CERT_ALTNAME_INVALID)" };

describe("transport: a proxy", () => {
  it(
    "tunnels both methods to a host with a trusted certificate, over maxConnections connections at most",
    inProxiedWorld(undefined, async (emulator, proxy) => {
      const env = { https_proxy: proxy.url };
      assert.deepEqual(await askInChild(emulator, sixAndWrongHost(emulator), { trusted, env }), [
        ...new Array<object>(6).fill({ status: 200 }),
        wrongHost,
      ]);
      const { host, port } = new URL(emulator.baseUrl);
      assert.deepEqual([...proxy.connects].sort(), [host, host, `localhost:${port}`]);
      assert.deepEqual(proxy.others, []);
      assert.equal(emulator.requests.length, 6);
      assert.match(proxy.heard(), /host\n127\.0\.0\.1:/i);
      assert(proxy.heard().length > 1000);
      for (const secret of [emulator.apiToken, "authorization"])
        assert(!proxy.heard().toLowerCase().includes(secret));
    }),
  ).timeout("60s");

  it(
    "is passed by where no_proxy names the host",
    inProxiedWorld(undefined, async (emulator, proxy) => {
      Object.assign(process.env, { https_proxy: proxy.url, no_proxy: "127.0.0.1" });
      for (const method of methods) await faultOf(ask(emulator, { method }));
      assert.deepEqual(proxy.connects, []);
    }),
  );

  it(
    "is passed by over http",
    inWorld({}, async ({ emulator }) => {
      const proxy = await startProxy();
      Object.assign(process.env, { https_proxy: proxy.url, http_proxy: proxy.url, all_proxy: proxy.url });
      try {
        for (const method of methods) assert.equal((await ask(emulator, { method })).status, 200);
        assert.deepEqual([proxy.connects, proxy.others], [[], []]);
      } finally {
        await proxy.stop();
      }
    }),
  );

  it(
    "can't vouch for a certificate that isn't trusted",
    inProxiedWorld(undefined, async (emulator, proxy) => {
      process.env["https_proxy"] = proxy.url;
      for (const method of methods)
        assert.equal((await faultOf(ask(emulator, { method }))).fault.failure, "tls");
      assert.equal(emulator.requests.length, 0);
    }),
  );

  it(
    "whose address is no URL fails at once",
    inWorld({ tls, env: { https_proxy: "http://" } }, async ({ emulator }) => {
      for (const method of methods) {
        const { message, attempts } = await faultOf(ask(emulator, { method }));
        assert.deepEqual([message, attempts], ["the connection failed (ERR_INVALID_URL)", 1]);
      }
      assert.equal(emulator.connections, 0);
    }),
  );

  for (const method of methods) {
    it(
      `that refuses is told by its status, and ${method} does not reach it`,
      inProxiedWorld("407 Proxy Authentication Required", async (emulator, proxy) => {
        process.env["https_proxy"] = proxy.url;
        const { status, attempts } = await ask(emulator, { method });
        assert.deepEqual([status, attempts], [407, 1]);
        assert.deepEqual([proxy.connects.length, proxy.others], [1, []]);
      }),
    );

    it(
      `that can't reach the service is asked again for ${method}`,
      inProxiedWorld("502 Bad Gateway", async (emulator, proxy) => {
        process.env["https_proxy"] = proxy.url;
        Math.random = () => 0.999;
        const deadline = new FixedDeadline({ rests: [1000, 100] });
        const { fault, attempts } = await faultOf(ask(emulator, { method, deadline }));
        assert.equal(fault.message, "the service answered with status 502");
        assert.deepEqual([attempts, proxy.connects.length], [2, 2]);
      }),
    );
  }
});

function inProxiedWorld(
  refusal: string | undefined,
  test: (emulator: Emulator, proxy: Proxy) => Promise<void>,
) {
  return inWorld({ tls }, async ({ emulator }) => {
    const proxy = await startProxy(refusal);
    try {
      await test(emulator, proxy);
    } finally {
      await proxy.stop();
    }
  });
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import https from "node:https";
import { connect, type Socket } from "node:net";
import { send } from "../../../../provider/src/service/http/attempt";
import { startEmulator, type Emulator } from "../../../../provider/src/testing";
import { emulatorTest } from "../../../harness/emulatorTest";
import { portOf } from "../../../harness/gate";
import { loopbackCertificate as tls } from "../../testing/loopbackCertificate";
import { inChild, type Task } from "./child";
import { faultOf, methods, request } from "./requests";

const wrongHost = "no trusted TLS connection was possible (ERR_TLS_CERT_ALTNAME_INVALID), 1 attempts";
const untrusted = /^no trusted TLS connection was possible \((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*\)/;

describe("a request over https", () => {
  for (const method of methods)
    emulatorTest(
      `by ${method} isn't sent without a trusted certificate, or without TLS`,
      { tls },
      async (emulator) => {
        const { fault, attempts } = await faultOf(request(emulator, { method }));
        assert.match(fault.message, untrusted);
        assert.deepEqual([fault.failure, fault.isPossiblyApplied, attempts], ["tls", false, 1]);
        assert.deepEqual(emulator.requests, []);
        const plain = await startEmulator();
        const url = plain.baseUrl.replace("http:", "https:");
        const other = await faultOf(request(plain, { method, url }));
        await plain.stop();
        assert.deepEqual([other.fault.failure, other.attempts, plain.requests], ["tls", 1, []]);
      },
    );

  emulatorTest(
    "trusts NODE_EXTRA_CA_CERTS, for the host of the certificate, and keeps connections",
    { tls },
    async (emulator) => {
      assert.deepEqual(await inChild(sixAndWrongHost(emulator)), [...sixSuccesses, wrongHost]);
      assert.equal(emulator.requests.length, 6);
      assert.equal(new Set(emulator.requests.map(({ connection }) => connection)).size, 2);
      assert(emulator.requests.every(({ authorized, headers }) => authorized && headers["content-length"]));
    },
  ).timeout("60s");
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
  proxyTest(
    "is tunneled to a host with a trusted certificate, and the proxy sees neither tokens nor bodies",
    undefined,
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

  proxyTest("isn't sent if the certificate isn't trusted", undefined, async (emulator, proxy) => {
    const outcomes = await inChild(oneOfEach(emulator), {
      env: { https_proxy: proxy.url },
      isTrusted: false,
    });
    for (const outcome of outcomes) assert.match(outcome, untrusted);
    assert.deepEqual([proxy.connects.length, emulator.requests.length], [2, 0]);
  });

  for (const [refusal, outcome] of [
    ["407 Proxy Authentication Required", /^status 407, 1 attempts$/],
    ["502 Bad Gateway", /^the service returned status 502, ([2-9]|\d\d) attempts$/],
  ] as const)
    proxyTest(`ends with the status of a proxy that answers ${refusal}`, refusal, async (emulator, proxy) => {
      const outcomes = await inChild(oneOfEach(emulator), { env: { https_proxy: proxy.url } });
      for (const each of outcomes) assert.match(each, outcome);
      assert.deepEqual([proxy.others, emulator.connections], [[], 0]);
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

/** Declares a test with a service and a proxy of its own. */
function proxyTest(
  title: string,
  refusal: string | undefined,
  test: (emulator: Emulator, proxy: Proxy) => Promise<void>,
): void {
  emulatorTest(title, { tls }, (emulator) => withProxy(refusal, (proxy) => test(emulator, proxy))).timeout(
    "60s",
  );
}

interface Proxy {
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly connects: readonly string[];
  /** Everything that clients sent: the heads of their requests, and the bytes in the tunnels. */
  readonly received: () => string;
  /** The requests that weren't for a tunnel. */
  readonly others: readonly string[];
}

/** Runs a test with a proxy that opens every tunnel, or answers each CONNECT with `refusal`. */
async function withProxy(refusal: string | undefined, test: (proxy: Proxy) => Promise<void>) {
  const connects: string[] = [];
  const others: string[] = [];
  const sockets = new Set<Socket>();
  let received = "";
  const server = createServer((request, response) => {
    others.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.end();
  });
  server.on("connect", ({ url = "", rawHeaders }, client: Socket) => {
    connects.push(url);
    received += rawHeaders.join("\n");
    sockets.add(client);
    client.on("error", () => client.destroy());
    if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => target.destroy()).on("data", (bytes) => (received += bytes.toString("latin1")));
    client.pipe(target).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    await test({ url: `http://127.0.0.1:${portOf(server)}`, connects, received: () => received, others });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await once(server.close(), "close");
  }
}

/** Attempts over TLS, directly and through a proxy. test/contract/gateway.test.ts shows whole operations through both. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import https from "node:https";
import { join } from "node:path";
import { send, type JsonRequest } from "../../../../provider/service/http/attempt";
import type { Service } from "../../../../provider/service/http/channel";
import { channelTo } from "../../../../provider/service/http/channel";
import { toTransportError, TransportError } from "../../../../provider/service/http/transportError";
import { TunnelAgent } from "../../../../provider/service/http/tunnelAgent";
import { startEmulator, type Emulator } from "../../../../provider/testing";
import { propertiesOf } from "../../../../provider/values";
import { until } from "../../../support/harness/clock";
import { emulatorTest } from "../../../support/harness/emulatorTest";
import {
  answerWith,
  endless,
  openTunnel,
  untilClosed,
  withProxy,
  type Answer,
  type Proxy,
} from "../../../support/harness/proxy";
import { serviceOf } from "../../../support/harness/service";
import { ended, inherited } from "../../../support/harness/run";
import { loopbackCertificate as tls } from "../../testing/loopbackCertificate";

const forged =
  '{"success":1,"new_user_group":true,"user_group":{"token":"forged","name":"Acme","provided_id":"acme"}}';
const head = "HTTP/1.1 200 OK\r\n";

/** Answers to CONNECT, and what the error says. Each closes the connection, and none reaches the service. */
const refusals: [what: string, answer: Answer, cause: string][] = [
  ["200 and a response", answerWith("200 OK", forged), ", but answered with status 200"],
  ["502 and a response", answerWith("502 Bad Gateway", forged), ", but answered with status 502"],
  ["no HTTP", (client) => client.end(forged), " (HPE_INVALID_CONSTANT)"],
  ["nothing, and closes", (client) => client.end(), " (ECONNRESET)"],
  ["headers without end", endless(head, `x: ${"a".repeat(1000)}\r\n`), " (HPE_HEADER_OVERFLOW)"],
];

/** Answers that don't end by themselves. */
const silences: [what: string, answer: Answer][] = [
  ["nothing", () => undefined],
  ["headers that drip", endless(head, "x", 20)],
  ["a tunnel to nowhere", (client) => client.write(`${head}\r\n`)],
];

for (const method of ["GET", "DELETE"] as const)
  describe(`a ${method} through a proxy`, () => {
    for (const [what, answer, cause] of refusals)
      it(`has no connection if it answers ${what}`, () =>
        withTunnels(answer, async ({ emulator, proxy, attempt }) => {
          const { message, fault } = await errorOf(attempt(method));
          assert.deepEqual([message, fault.isPossiblyApplied], [`the proxy opened no tunnel${cause}`, false]);
          await untilClosed(proxy);
          assert.deepEqual([emulator.connections, proxy.received().includes("token")], [0, false]);
        }));

    it("isn't sent without TLS in the tunnel, or to a host that the certificate doesn't name", () => {
      const answer: Answer = (client, target) => {
        if (target.startsWith("localhost")) openTunnel(client, target);
        else client.end(`${head}\r\n${head}content-length: ${forged.length}\r\n\r\n${forged}`);
      };
      return withTunnels(answer, async ({ emulator, attempt }) => {
        for (const host of ["127.0.0.1", "localhost"])
          assert.equal((await errorOf(attempt(method, { host }))).fault.isRetryable, false, host);
        assert.deepEqual(emulator.requests, []);
      });
    });

    for (const [what, silence] of silences)
      it(`ends with its signal if it answers ${what}, and the next one has a connection, which is kept`, () => {
        let isFirst = true;
        const answer: Answer = (client, target) => {
          if (isFirst) silence(client, target);
          else openTunnel(client, target);
          isFirst = false;
        };
        return withTunnels(answer, async ({ emulator, proxy, attempt }) => {
          const controller = new AbortController();
          const ended = assert.rejects(attempt(method, controller));
          await until(() => proxy.connects.length === 1);
          controller.abort();
          await ended;
          await untilClosed(proxy);
          for (const status of [200, 200]) assert.equal((await attempt(method)).status, status);
          assert.deepEqual([proxy.connects.length, emulator.connections, proxy.open()], [2, 1, 1]);
        });
      });
  });

describe("a proxy", () => {
  it("gets its credentials", () =>
    withTunnels(
      openTunnel,
      async ({ proxy, attempt }) => {
        assert.equal((await attempt("GET")).status, 200);
        const expected = `proxy-authorization\nBasic ${Buffer.from("me:p@ss%").toString("base64")}`;
        assert(proxy.received().includes(expected), proxy.received());
      },
      "me:p%40ss%@",
    ));

  for (const [address, issue] of [
    ["socks5h://me:s3cret@proxy.example", "has a SOCKS proxy, which isn't supported"],
    ["http://", "has no http or https URL of a proxy"],
  ] as const)
    it(`can't be ${address}`, () => {
      const message = `the variable ALL_PROXY ${issue}`;
      assert.throws(() => new TunnelAgent({ variable: "ALL_PROXY", address }, {}), { message });
    });
});

it("each address of a name gets a quarter of an attempt, at most 5 s, and not Node.js's 250 ms", () => {
  for (const [attemptMilliseconds, expected] of [
    [8_000, 2_000],
    [60_000, 5_000],
  ] as const) {
    const service = serviceOf({ baseUrl: `https://${expected}.example`, apiToken: "token" });
    const { agent } = channelTo({ ...service, attemptMilliseconds });
    const options: unknown = Reflect.get(agent, "options");
    assert.equal(propertiesOf(options)["autoSelectFamilyAttemptTimeout"], expected);
  }
});

/** A process reads these variables when it starts, or for each connection. */
describe("an environment", () => {
  const selfSigned = /\((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*\)/;
  const inTunnel = (url: string) => ({ https_proxy: url });
  const ofBoth = (url: string) => ({ http_proxy: url, https_proxy: url });
  const inSocks = () => ({ ALL_PROXY: "socks5://127.0.0.1:1080" });
  for (const [what, service, proxyTls, variables, connects, outcome] of [
    [
      "that disables checks doesn't disable that of the service",
      { tls },
      undefined,
      () => ({}),
      0,
      selfSigned,
    ],
    ["nor that of the service in a tunnel", { tls }, undefined, inTunnel, 1, selfSigned],
    ["nor that of the proxy", { tls }, tls, inTunnel, 0, /opened no tunnel \((DEPTH_ZERO_)?SELF_SIG/],
    ["with SOCKS has no proxy", { tls }, undefined, inSocks, 0, /variable ALL_PROXY has a SOCKS .*no_proxy/],
    ["with proxies has none for http", {}, undefined, ofBoth, 0, /^created$/],
  ] as const)
    emulatorTest(what, service, (emulator) =>
      withProxy({ tls: proxyTls }, async (proxy) => {
        const stdout = await create(emulator, { ...variables(proxy.url), USER_GROUPS_TIMEOUT: "1" });
        assert.match(stdout, outcome);
        assert.deepEqual([new Set(proxy.connects).size, proxy.others], [connects, []]);
      }),
    );
});

/** Creates a group in a process of its own. Returns `created` or the message of the error. */
async function create(
  { baseUrl, apiToken }: Emulator,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const program = `
    require("./dist/adapters/dynamic").userGroup
      .create({ userGroupId: "acme", name: "Acme" })
      .then(() => "created", ({ message }) => message)
      .then((text) => process.stdout.write(text));`;
  const env = {
    ...inherited(),
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    USER_GROUPS_BASE_URL: baseUrl,
    USER_GROUPS_API_TOKEN: apiToken,
    ...variables,
  };
  const cwd = join(__dirname, "../../../..");
  const child = spawn(process.execPath, ["--eval", program], { cwd, env });
  return (await ended(child)).stdout;
}

describe("an attempt over https", () => {
  for (const [what, former, count] of [
    ["on a new connection", 0, 1],
    ["on a kept connection", 1, 1],
    ["after waiting for a connection", 0, 3],
  ] as const)
    emulatorTest(`is known to be sent ${what}`, { tls }, async (emulator) => {
      const agent = new https.Agent({ ca: tls.cert, keepAlive: true, maxSockets: 1 });
      const { signal } = new AbortController();
      let sent = 0;
      const onSent = () => {
        sent += 1;
      };
      const request = requestTo(serviceOf(emulator), "GET");
      const channel = { ...channelTo(request.service), agent };
      const attempt = () => send(request, { channel, signal, onSent });
      for (let n = 0; n < former; n += 1) await attempt();
      await Promise.all(Array.from({ length: count }, attempt));
      assert.equal(sent, former + count);
      agent.destroy();
    });
});

it("connections are of one limit and one client certificate; the queue is that of origin and limit", () => {
  const { cert, key } = tls;
  const service = serviceOf({ baseUrl: "https://groups.example", apiToken: "t" });
  const usual = channelTo({ ...service });
  const isSame = (changes: Partial<Service>) => {
    const { agent, queue, pace } = channelTo({ ...service, ...changes });
    return [agent === usual.agent, queue === usual.queue, pace === usual.pace];
  };
  const tlsIdentity = { cert, key };
  assert.deepEqual(isSame({}), [true, true, true]);
  assert.deepEqual(isSame({ maxConnections: 4 }), [false, false, true]);
  assert.deepEqual(isSame({ tlsIdentity }), [false, true, true]);
  assert.equal(channelTo({ ...service, tlsIdentity }).agent, channelTo({ ...service, tlsIdentity }).agent);
});

interface Tunnels {
  readonly emulator: Emulator;
  readonly proxy: Proxy;
  /** One attempt to send a request through the proxy. `host`: of the service. */
  readonly attempt: (
    method: JsonRequest["method"],
    options?: { readonly host?: string; readonly signal?: AbortSignal },
  ) => ReturnType<typeof send>;
}

/** `credentials`: those in the address of the proxy. */
async function withTunnels(
  answer: Answer,
  test: (tunnels: Tunnels) => Promise<void>,
  credentials = "",
): Promise<void> {
  const emulator = await startEmulator({ tls });
  try {
    await withProxy({ answer }, async (proxy) => {
      const address = proxy.url.replace("//", `//${credentials}`);
      const agent = new TunnelAgent({ variable: "https_proxy", address }, { ca: tls.cert, keepAlive: true });
      const attempt: Tunnels["attempt"] = (
        method,
        { host = "127.0.0.1", signal = new AbortController().signal } = {},
      ) => {
        const { baseUrl, apiToken } = emulator;
        const service = serviceOf({ baseUrl: baseUrl.replace("127.0.0.1", host), apiToken });
        const channel = { ...channelTo(service), agent };
        return send(requestTo(service, method), { channel, signal, onSent: () => undefined });
      };
      await test({ emulator, proxy, attempt });
      agent.destroy();
    });
  } finally {
    await emulator.stop();
  }
}

function requestTo(service: Service, method: JsonRequest["method"]): JsonRequest {
  return { method, service, body: { user_group_id: "acme", name: "Acme" } };
}

async function errorOf(attempt: Promise<unknown>): Promise<TransportError> {
  const thrown: unknown = await attempt.catch((error: unknown) => error);
  const error = toTransportError(thrown, true);
  return error instanceof TransportError ? error : assert.fail(String(error));
}

import assert from "node:assert/strict";
import { send } from "../../../../provider/src/service/http/attempt";
import { toTransportError, TransportError } from "../../../../provider/src/service/http/transportError";
import { TunnelAgent } from "../../../../provider/src/service/http/tunnelAgent";
import { startEmulator, type Emulator } from "../../../../provider/src/testing";
import { until } from "../../../harness/clock";
import {
  answerWith,
  endless,
  openTunnel,
  untilClosed,
  withProxy,
  type Answer,
  type Proxy,
} from "../../../harness/proxy";
import { loopbackCertificate as tls } from "../../testing/loopbackCertificate";
import { methods } from "./requests";

const forged =
  '{"success":1,"new_user_group":true,"user_group":{"token":"forged","name":"Acme","provided_id":"acme"}}';
const head = "HTTP/1.1 200 OK\r\n";

/** Answers to CONNECT, and what the error says. Each closes the connection, and none reaches the service. */
const refusals: [what: string, answer: Answer, cause: string][] = [
  ...["200 OK", "201 Created", "302 Found", "502 Bad Gateway"].map((status): (typeof refusals)[number] => [
    `${status} and a response`,
    answerWith(status, forged, ["location: https://a.example"]),
    `, but answered with status ${status.slice(0, 3)}`,
  ]),
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

for (const method of methods)
  describe(`a ${method} through a proxy`, () => {
    for (const [what, answer, cause] of refusals)
      it(`has no connection if it answers ${what}`, () =>
        withTunnels(answer, async ({ emulator, proxy, attempt }) => {
          const { message, fault } = await errorOf(attempt(method));
          assert.deepEqual([message, fault.isPossiblyApplied], [`the proxy opened no tunnel${cause}`, false]);
          await untilClosed(proxy);
          assert.deepEqual([emulator.connections, proxy.received().includes("token")], [0, false]);
        }));

    it("isn't sent without TLS in the tunnel", () => {
      const answer: Answer = (client) => {
        client.write(`${head}\r\n`);
        client.once("data", () => client.end(`${head}content-length: ${forged.length}\r\n\r\n${forged}`));
      };
      return withTunnels(answer, async ({ proxy, attempt }) => {
        const { fault } = await errorOf(attempt(method));
        assert.deepEqual([fault.failure, fault.isRetryable], ["tls", false]);
        await untilClosed(proxy);
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
          const ended = assert.rejects(attempt(method, controller.signal));
          await until(() => proxy.connects.length === 1);
          controller.abort();
          await ended;
          await untilClosed(proxy);
          for (const status of [200, 200]) assert.equal((await attempt(method)).status, status);
          assert.deepEqual([proxy.connects.length, emulator.connections, proxy.open()], [2, 1, 1]);
        });
      });
  });

interface Tunnels {
  readonly emulator: Emulator;
  readonly proxy: Proxy;
  /** One attempt to send a request through the proxy. */
  readonly attempt: (method: (typeof methods)[number], signal?: AbortSignal) => ReturnType<typeof send>;
}

async function withTunnels(answer: Answer, test: (tunnels: Tunnels) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({ tls });
  try {
    await withProxy({ answer }, async (proxy) => {
      const agent = new TunnelAgent(proxy.url, { ca: tls.cert, keepAlive: true });
      const attempt: Tunnels["attempt"] = (method, signal = new AbortController().signal) => {
        const url = new URL(`${emulator.baseUrl}/api/user`);
        const authorization = `Token ${emulator.apiToken}`;
        const body = { user_group_id: "acme", name: "Acme" };
        return send({ method, url, authorization, body }, { agent, signal, onSent: () => undefined });
      };
      await test({ emulator, proxy, attempt });
      agent.destroy();
    });
  } finally {
    await emulator.stop();
  }
}

async function errorOf(attempt: Promise<unknown>): Promise<TransportError> {
  try {
    await attempt;
  } catch (thrown) {
    const error = toTransportError(thrown, true);
    if (error instanceof TransportError) return error;
    throw error;
  }
  throw new Error("The request didn't fail.");
}

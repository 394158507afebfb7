import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { createServer, type Socket } from "node:net";
import { send } from "../../../../provider/src/service/http/attempt";
import { instantClock } from "../../../harness/clock";
import { emulatorTest } from "../../../harness/emulatorTest";
import { portOf } from "../../../harness/portOf";
import { loopbackCertificate as tls } from "../../testing/loopbackCertificate";
import { faultOf, ImpatientBudget, request } from "./requests";

const body = '{"user_group_id":"acme","name":"Acme"}';

describe("a get-or-create that fails", () => {
  const reset = (socket: Socket) => socket.once("data", () => socket.resetAndDestroy());
  const cases: [what: string, onConnection: ((socket: Socket) => unknown) | "refused", failure: string][] = [
    ["the connection was refused", "refused", "broken"],
    ["the TLS handshake broke off", reset, "broken"],
    ["the TLS handshake hung", () => undefined, "timed-out"],
  ];
  for (const [what, onConnection, failure] of cases)
    it(`wasn't applied if ${what}`, () =>
      withServer(onConnection, async (port) => {
        const url = `${onConnection === "refused" ? "http" : "https"}://127.0.0.1:${port}`;
        const options = { url, budget: new ImpatientBudget(0.3, instantClock()) };
        const { fault } = await faultOf(request({ baseUrl: "", apiToken: "t0ken" }, options));
        assert.deepEqual([fault.failure, fault.isRetryable, fault.isPossiblyApplied], [failure, true, false]);
      }));

  it("wasn't sent if the time was up before the connection was opened", async () => {
    const agent = new http.Agent({ lookup: () => undefined });
    const attempt = attemptAt("http://localhost:9", agent, AbortSignal.timeout(50));
    await assert.rejects(attempt.response);
    assert.equal(attempt.isSent(), false);
  });
});

describe("a get-or-create over https", () => {
  for (const [what, former, count] of [
    ["on a new connection", 0, 1],
    ["on a kept connection", 1, 1],
    ["after waiting for a connection", 0, 3],
  ] as const)
    emulatorTest(`is known to be sent ${what}`, { tls }, async ({ baseUrl }) => {
      const agent = new https.Agent({ ca: tls.cert, keepAlive: true, maxSockets: 1 });
      const isSent = async () => {
        const attempt = attemptAt(baseUrl, agent, new AbortController().signal);
        await attempt.response;
        return attempt.isSent();
      };
      for (let n = 0; n < former; n += 1) await isSent();
      const results = await Promise.all(Array.from({ length: count }, isSent));
      assert.deepEqual(results, new Array(count).fill(true));
      agent.destroy();
    });
});

function attemptAt(baseUrl: string, agent: http.Agent, signal: AbortSignal) {
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const url = new URL(`${baseUrl}/api/user`);
  const response = send({ method: "GET", url, authorization: "" }, body, { agent, signal, onSent });
  return { response, isSent: () => isSent };
}

/** Runs a test with a port on which a server handles connections, or none listens. */
async function withServer(
  onConnection: ((socket: Socket) => unknown) | "refused",
  test: (port: number) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    if (onConnection !== "refused") onConnection(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = portOf(server);
  if (onConnection === "refused") await once(server.close(), "close");
  try {
    await test(port);
  } finally {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), "close");
  }
}

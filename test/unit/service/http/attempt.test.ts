import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { createServer, type Socket } from "node:net";
import { send } from "../../../../provider/src/service/http/attempt";
import { inContext } from "../../../harness/providers";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import { faultOf, ImpatientBudget, methods, request } from "./requests";
import { instantClock } from "../../../harness/clock";
import { portOf } from "../../../harness/portOf";
import { drip, noResponse } from "../../../harness/responseFaults";

const body = '{"user_group_id":"acme","name":"Acme"}';
const access = { baseUrl: "", apiToken: "t0ken" };

describe("an attempt", () => {
  for (const method of methods) {
    const attempt = (baseUrl: string) => ({
      method,
      url: new URL(`${baseUrl}/api/user`),
      authorization: "Token t",
    });
    const conditions = (signal = new AbortController().signal) => ({
      agent: new http.Agent(),
      signal,
      onSent: () => undefined,
    });

    it(
      `by ${method} resolves with the response, redirects and compression as they are`,
      inContext({}, async ({ emulator }) => {
        emulator.fault({
          kind: "respond",
          respond: () => ({
            status: 302,
            headers: { location: "/x", "content-encoding": "gzip" },
            body: "raw",
          }),
        });
        const response = await send(attempt(emulator.baseUrl), body, conditions());
        assert.deepEqual([response.status, response.header("content-encoding")], [302, "gzip"]);
        assert.equal(Buffer.from(response.bytes).toString(), "raw");
        assert.equal(emulator.requests.length, 1);
      }),
    );

    it(
      `by ${method} ends when its signal aborts, before the head of the response or within its body`,
      inContext({}, async ({ emulator }) => {
        for (const fault of [noResponse(), drip(50)]) {
          emulator.fault(fault);
          await assert.rejects(send(attempt(emulator.baseUrl), body, conditions(AbortSignal.timeout(200))));
        }
      }),
    );
  }
});

describe("a get-or-create that fails", () => {
  it("can't have been applied if the connection was refused", async () => {
    const url = await withServer(
      () => undefined,
      (port) => Promise.resolve(`http://127.0.0.1:${port}`),
    );
    const { fault, attempts } = await faultOf(
      request(access, { url, budget: new ImpatientBudget(1, instantClock()) }),
    );
    assert.deepEqual([fault.failure, fault.isPossiblyApplied], ["broken", false]);
    assert.match(fault.message, /ECONNREFUSED/);
    assert(attempts > 1);
  });

  it("can't have been applied if the time was up before the connection was there", async () => {
    let isSent = false;
    const signal = AbortSignal.timeout(50);
    const agent = new http.Agent({ lookup: () => undefined });
    const onSent = () => {
      isSent = true;
    };
    const url = new URL("http://localhost:9/api/user");
    await assert.rejects(send({ method: "GET", url, authorization: "" }, body, { agent, signal, onSent }));
    assert.equal(isSent, false);
  });

  it("can't have been applied if the TLS handshake was broken off or hung", async () => {
    const reset = (socket: Socket) => socket.once("data", () => socket.resetAndDestroy());
    for (const [onConnection, failure] of [
      [reset, "broken"],
      [() => undefined, "timed-out"],
    ] as const)
      await withServer(onConnection, async (port) => {
        const options = {
          url: `https://127.0.0.1:${port}`,
          budget: new ImpatientBudget(0.3, instantClock()),
        };
        const { fault } = await faultOf(request(access, options));
        assert.deepEqual([fault.failure, fault.isPossiblyApplied], [failure, false], failure);
      });
  });

  it("may have been applied once it was sent over http", async () => {
    await withServer(
      (socket) => socket.once("data", () => socket.destroy()),
      async (port) => {
        const options = { url: `http://127.0.0.1:${port}`, budget: new ImpatientBudget(0.3, instantClock()) };
        const { fault } = await faultOf(request(access, options));
        assert.deepEqual([fault.failure, fault.isPossiblyApplied], ["broken", true]);
      },
    );
  });

  for (const when of ["on a new connection", "on a kept connection", "after waiting for a connection"])
    it(
      `may have been applied once it was sent over https ${when}`,
      inContext({ tls: loopbackCertificate }, async ({ emulator }) => {
        const agent = new https.Agent({ ca: loopbackCertificate.cert, keepAlive: true, maxSockets: 1 });
        const signal = new AbortController().signal;
        const attempt = {
          method: "GET",
          url: new URL(`${emulator.baseUrl}/api/user`),
          authorization: "",
        } as const;
        const sendOne = async () => {
          let isSent = false;
          await send(attempt, body, {
            agent,
            signal,
            onSent: () => {
              isSent = true;
            },
          });
          return isSent;
        };
        if (when.includes("kept")) await sendOne();
        const count = when.includes("waiting") ? 3 : 1;
        const results = await Promise.all(Array.from({ length: count }, sendOne));
        assert.deepEqual(results, new Array(count).fill(true));
        agent.destroy();
      }),
    );
});

/** Runs `work` with a server whose connections `onConnection` handles. */
async function withServer<Result>(
  onConnection: (socket: Socket) => unknown,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await work(portOf(server));
  } finally {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), "close");
  }
}

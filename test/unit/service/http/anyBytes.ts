/** A service, and a proxy, that send any bytes: what each request must hold in spite of them. Runs in a process of its own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import * as net from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import * as tls from "node:tls";
import fc from "fast-check";
import pLimit from "p-limit";
import { channelTo } from "../../../../provider/src/service/http/channel";
import { TimeBudget } from "../../../../provider/src/service/http/clock";
import { TransportError } from "../../../../provider/src/service/http/transportError";
import { jumpingClock, until } from "../../../harness/clock";
import { portOf } from "../../../harness/port";
import { openTunnel, withProxy, type Answer } from "../../../harness/proxy";
import { loopbackCertificate } from "../../testing/loopbackCertificate";
import { methods, request } from "./requests";

/** What is sent on each connection, and what then becomes of it. */
interface Script {
  readonly parts: readonly (string | Uint8Array)[];
  /** The bytes at a time. */
  readonly size: number;
  /** The milliseconds between them. */
  readonly pause: number;
  /** Whether the first bytes wait for those of the client. */
  readonly waits: boolean;
  readonly end: "closes" | "resets" | "is silent" | "repeats";
}

const part = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 503 Busy\r\nretry-after: 0\r\n",
    "HTTP/1.1 302 Found\r\nlocation: https://a\u0000\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    "HTTP/1.0 200 OK\r\n\r\n",
    "connection: close\r\n",
    "content-length: 20\r\n\r\n",
    "content-length: 99999999999999999999\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\n",
    "content-encoding: gzip\r\n",
    `x-long: ${"x".repeat(9000)}\r\n`,
    "x-endless: ",
    "\r\n",
    "5\r\n[[[[[\r\n",
    "ffffffff;a=b\r\n",
    "0\r\n\r\n",
    '{"success":1,"new_user_group":true}',
    `{"a":${"[".repeat(50_000)}`,
    "\u0016\u0003\u0003\u0000\u007a",
  ),
);

const script: fc.Arbitrary<Script> = fc.record({
  parts: fc.array(part, { maxLength: 6 }),
  size: fc.constantFrom(1, 7, 100_000),
  pause: fc.constantFrom(0, 0, 0, 3),
  waits: fc.boolean(),
  // Silence takes time.
  end: fc.constantFrom("closes", "closes", "closes", "resets", "resets", "resets", "is silent", "repeats"),
});

async function play(played: Script, socket: net.Socket): Promise<void> {
  socket.on("error", () => socket.destroy()).on("end", () => socket.destroy());
  const started = new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
  if (played.waits) await started;
  await write(played, socket);
  while (played.end === "repeats" && played.parts.length > 0 && !socket.destroyed) {
    await sleep(1);
    await write({ ...played, size: 100_000 }, socket);
  }
  if (played.end === "closes") socket.end();
  if (played.end === "resets") socket.destroy();
}

async function write({ parts, size, pause }: Script, socket: net.Socket): Promise<void> {
  const bytes = Buffer.concat(parts.map((each) => Buffer.from(each)));
  let at = 0;
  while (at < bytes.length && !socket.destroyed) {
    // Small pieces at the start, where the parser has most of its states.
    const next = at < 60 ? at + size : bytes.length;
    const isTaken = socket.write(bytes.subarray(at, next));
    at = next;
    if (pause > 0) await sleep(pause);
    else await setImmediate();
    if (!isTaken) await drained(socket);
  }
}

function drained(socket: net.Socket): Promise<unknown> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
}

/** Whose bytes they are. */
type Place =
  "the service" | "the service, over TLS" | "the proxy" | "the service, over TLS, through the proxy";

/** The seconds of an operation, each of whose attempts has a third. */
const seconds = 4.5;

/** One request of each method, to a server that plays the script. Returns how they ended. */
async function holds(place: Place, played: Script): Promise<string[]> {
  const sockets = new Set<net.Socket>();
  const listener = (socket: net.Socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    if (place !== "the proxy") void play(played, socket);
  };
  const isSecure = place.includes("TLS");
  const server = isSecure ? tls.createServer(loopbackCertificate, listener) : net.createServer(listener);
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const service = new URL(`http${place === "the service" ? "" : "s"}://127.0.0.1:${portOf(server)}/api/user`);
  scripts.set(service.host, { place, played, sockets });
  const { agent } = channelTo(service, 2);
  const used = () => countOf(agent.sockets) + countOf(agent.requests);
  const kept = () => countOf(agent.freeSockets);
  const outcomes = Promise.all(methods.map((method) => settles(service.href, method)));
  await soon("settled", outcomes);
  await soon(
    "idle",
    until(() => used() === 0 && sockets.size <= kept()),
  );
  agent.destroy();
  await soon(
    "closed",
    until(() => sockets.size === 0),
  );
  await once(server.close(), "close");
  return outcomes;
}

function countOf(lists: NodeJS.ReadOnlyDict<readonly unknown[]>): number {
  return Object.values(lists).flat().length;
}

/** Fails long after everything should have ended. */
async function soon(what: string, end: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const late = sleep(20_000, undefined, { signal: limit.signal }).then(() =>
    assert.fail(`It is not ${what}`),
  );
  await Promise.race([end, late]).finally(() => {
    limit.abort();
    late.catch(() => undefined);
  });
}

/** With a response or an error of the transport, in time. Returns which. */
async function settles(url: string, method: (typeof methods)[number]): Promise<string> {
  const clock = jumpingClock();
  clock.attempts = 2;
  const budget = new TimeBudget(seconds, clock);
  const start = performance.now();
  const options = { url, method, clock, budget, maxConnections: 2 };
  const outcome = await request({ baseUrl: "", apiToken: "t" }, options).then(
    ({ status }) => String(status),
    (error: unknown) => {
      if (error instanceof TransportError) return error.fault.failure;
      throw error;
    },
  );
  const milliseconds = performance.now() - start;
  // The machine may be busy.
  assert(milliseconds < seconds * 1000 + 5000, `${method} took ${milliseconds} ms`);
  return outcome;
}

/** The scripts by the target of CONNECT, and the connections that play them. */
const scripts = new Map<
  string,
  { readonly place: Place; readonly played: Script; readonly sockets: Set<net.Socket> }
>();

/** Plays the script of the target, or opens the tunnel. */
const answer: Answer = (client, target) => {
  const own = scripts.get(target);
  if (own?.place !== "the proxy" || !(client instanceof net.Socket)) {
    openTunnel(client, target);
    return;
  }
  own.sockets.add(client.once("close", () => own.sockets.delete(client)));
  void play({ ...own.played, waits: false }, client);
};

/** A few scripts at a time, because some are silent. */
async function check(place: Place, count: number): Promise<void> {
  const seed = Date.now();
  const lane = pLimit(8);
  const outcomes = fc.sample(script, { numRuns: count, seed }).map((each) =>
    lane(() => holds(place, each)).catch((error: unknown) => {
      const played = fc.stringify(each).slice(0, 3000);
      throw new Error(`${place}, seed ${seed}: ${played}`, { cause: error });
    }),
  );
  const kinds = new Set((await Promise.all(outcomes)).flat());
  assert(kinds.size > 1 || !kinds.has("timed-out"), `${place}: every request timed out`);
}

async function main(count: number): Promise<void> {
  await Promise.all([check("the service", count), check("the service, over TLS", count)]);
  await withProxy({ answer }, async (proxy) => {
    process.env["https_proxy"] = proxy.url;
    const behind = "the service, over TLS, through the proxy";
    await Promise.all([check("the proxy", count), check(behind, count)]);
    await soon(
      "closed",
      until(() => proxy.open() === 0),
    );
  });
}

if (require.main === module) void main(Number(process.argv[2]));

/** A proxy that opens tunnels (CONNECT), or does something else. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { until } from "./clock";
import { portOf } from "./port";

/** What a proxy does instead of opening a tunnel. */
export type Answer = (client: Duplex, target: string) => void;

export interface Proxy {
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly connects: readonly string[];
  /** Everything that clients sent: the heads of their requests, and the bytes in the tunnels. */
  readonly received: () => string;
  /** The requests that weren't for a tunnel. */
  readonly others: readonly string[];
  /** Connections of clients that are open now. */
  readonly open: () => number;
  /** Connections with a client certificate, for which a proxy over TLS asks. */
  readonly certificates: () => number;
}

/** Runs a test with a proxy, over TLS with a certificate. Default: it opens every tunnel. */
export async function withProxy(
  {
    answer,
    tls,
  }: { readonly answer?: Answer | undefined; readonly tls?: { key: string; cert: string } | undefined },
  test: (proxy: Proxy) => Promise<void>,
): Promise<void> {
  const connects: string[] = [];
  const others: string[] = [];
  const clients = new Set<Socket>();
  let received = "";
  let certificates = 0;
  const asking = { ...tls, requestCert: true, rejectUnauthorized: false };
  const server = tls ? createTlsServer(asking) : createServer();
  server.on("secureConnection", (client: TLSSocket) => {
    if (Object.keys(client.getPeerCertificate()).length > 0) certificates += 1;
  });
  server.on("connection", (client: Socket) => {
    clients.add(client.once("close", () => clients.delete(client)));
  });
  server.on("request", (request, response) => {
    others.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.end();
  });
  server.on("connect", ({ url = "", rawHeaders }, client: Duplex) => {
    connects.push(url);
    received += rawHeaders.join("\n");
    client.on("error", () => client.destroy()).on("end", () => client.destroy());
    client.on("data", (bytes: Buffer) => (received += bytes.toString("latin1")));
    if (answer) answer(client, url);
    else openTunnel(client, url);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const url = `${tls ? "https" : "http"}://127.0.0.1:${portOf(server)}`;
    await test({
      url,
      connects,
      received: () => received,
      others,
      open: () => clients.size,
      certificates: () => certificates,
    });
  } finally {
    for (const client of clients) client.destroy();
    await once(server.close(), "close");
  }
}

export function openTunnel(client: Duplex, target: string): void {
  const { hostname, port } = new URL(`http://${target}`);
  const service = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
  service.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.on("close", () => service.destroy());
  client.pipe(service).pipe(client);
}

/** A response of the proxy's own to CONNECT. */
export function answerWith(status: string, body = "", headers: readonly string[] = []): Answer {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return (client) => client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Bytes without end, with so many milliseconds between two parts. */
export function endless(start: string, part: string, ms = 0): Answer {
  return (client) => {
    client.write(start);
    const timer = setInterval(() => client.writableNeedDrain || client.write(part), ms);
    client.once("close", () => {
      clearInterval(timer);
    });
  };
}

export function untilClosed(proxy: Proxy): Promise<void> {
  return until(() => proxy.open() === 0);
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Connections } from "./connections";
import { deliver } from "./delivery";
import type { Service } from "./service";

/** The sockets of a service. */
export interface Listener {
  readonly port: number;
  readonly connections: Connections;
  /** Closes the port and every connection. */
  close(): Promise<void>;
}

/** Listens on a loopback port; rejects with Node's error where the port can't be had. */
export async function listen(service: Service): Promise<Listener> {
  const { tls, port } = service.settings;
  const server = tls
    ? createTlsServer({ key: Buffer.from(tls.key), cert: Buffer.from(tls.cert) })
    : createServer();
  // Idle connections stay open until the client or close() ends them, so that no test races a timer.
  server.keepAliveTimeout = 0;
  const connections = new Connections(server, tls ? "secureConnection" : "connection");
  server.on("request", (request, response) => {
    receive(request, response, service, connections);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), connections, close: () => close(server, connections) };
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  connections: Connections,
): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const delivery = service.respond({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      text: Buffer.concat(chunks).toString(),
      connection: connections.numberOf(request.socket),
    });
    void deliver(response, delivery);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function close(server: Server, connections: Connections): Promise<void> {
  const closed = once(server, "close");
  server.close();
  connections.destroyAll();
  await closed;
}

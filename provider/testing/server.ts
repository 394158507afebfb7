/** The emulator's side of HTTP: its port, request bodies and responses. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EmulatedResponse } from "./faults";
import type { Options } from "./options";

/** Listens on 127.0.0.1. Rejects with Node's error if the port is in use. */
export async function listen({ tls, port }: Options): Promise<Server> {
  const server = tls
    ? createTlsServer({ key: Buffer.from(tls.key), cert: Buffer.from(tls.cert) })
    : createServer();
  // The client or the emulator's stop() ends idle connections, so that no test depends on a timer.
  server.keepAliveTimeout = 0;
  await once(server.listen(port, "127.0.0.1"), "listening");
  return server;
}

/** Of a request body. The provider's are smaller. */
const maxBytes = 2 * 2 ** 20;

/** Reads a body to its end, so that the client reads the response. No text: it is too large. Rejects if the client leaves. */
export async function receive(request: IncomingMessage): Promise<{ readonly text?: string }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!(part instanceof Buffer)) continue;
    bytes += part.byteLength;
    if (bytes <= maxBytes) parts.push(part);
    else parts.length = 0;
  }
  return bytes <= maxBytes ? { text: Buffer.concat(parts).toString() } : {};
}

/** Sends a response. Undefined: none, on an open connection. */
export async function deliver(target: ServerResponse, response?: EmulatedResponse): Promise<void> {
  if (target.destroyed || !response) return;
  const { status, headers, body } = response;
  if (typeof body === "string" || body instanceof Uint8Array) {
    target.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
  } else {
    target.writeHead(status, headers);
    // Rejects after it has closed the connection, because the client has left or the body threw.
    await pipeline(Readable.from(body, { objectMode: false }), target).catch(() => undefined);
  }
}

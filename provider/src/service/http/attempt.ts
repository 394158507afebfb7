/**
 * One attempt of a request. The Fetch standard forbids a GET with a body, so a GET goes through `node:http(s)` and its
 * response becomes a node-fetch `Response`. Everything else goes through node-fetch.
 */
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Response } from "node-fetch";
import { version } from "../../version";

export interface Attempt {
  readonly method: "GET" | "DELETE";
  readonly url: URL;
  /** Value of the header `Authorization`. */
  readonly authorization: string;
}

interface Conditions {
  readonly agent: http.Agent;
  readonly signal: AbortSignal;
  /** Called when the first byte of the request may be on its way. */
  readonly onSent: () => void;
}

type ResponseClass = typeof Response;

/** A larger response fails. A group's response has a few hundred bytes. */
const maxResponseBytes = 1024 * 1024;

/** Sends `body`. Resolves when the head of the response has arrived. Doesn't follow redirects. */
export async function send(attempt: Attempt, body: string, conditions: Conditions): Promise<Response> {
  const { agent, signal, onSent } = conditions;
  // Previews send no request, and start faster without it.
  const nodeFetch = await import("node-fetch");
  const options = { method: attempt.method, headers: headersOf(attempt, body), agent, signal };
  if (attempt.method === "GET")
    return sendWithNodeHttp(attempt.url, options, body, { onSent, Response: nodeFetch.Response });
  onSent();
  return nodeFetch.default(attempt.url, {
    ...options,
    body,
    redirect: "manual",
    compress: false,
    size: maxResponseBytes,
  });
}

/** Node.js writes the body of a GET unframed unless `content-length` is set. */
function headersOf({ authorization }: Attempt, body: string): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    authorization,
    "content-length": Buffer.byteLength(body).toString(),
    "content-type": "application/json",
    "user-agent": `pulumi-user-groups/${version}`,
  };
}

function sendWithNodeHttp(
  url: URL,
  options: https.RequestOptions,
  body: string,
  { onSent, Response }: Pick<Conditions, "onSent"> & { Response: ResponseClass },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, options, (incoming) => {
      try {
        resolve(toResponse(incoming, Response));
      } catch {
        reject(Object.assign(new Error("unreadable head of the response"), { code: "UNREADABLE_HEAD" }));
      }
    });
    outgoing.on("socket", (socket: Socket) => {
      if (outgoing.reusedSocket) onSent();
      else whenEstablished(socket, onSent);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/**
 * A request is sent after the connection is established, including the TLS handshake. A request that waited for a free
 * connection gets an established one, although `reusedSocket` is false.
 */
function whenEstablished(socket: Socket, onSent: () => void): void {
  if (socket instanceof TLSSocket && !socket.getFinished()) socket.once("secureConnect", onSent);
  else if (socket.connecting) socket.once("connect", onSent);
  else if (!socket.destroyed) onSent();
}

function toResponse(incoming: http.IncomingMessage, Response: ResponseClass): Response {
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  // `size` works as it does in the options of fetch, though its type doesn't say so.
  const init = { status: incoming.statusCode ?? 0, headers, size: maxResponseBytes };
  return new Response(incoming, init);
}

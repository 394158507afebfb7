/** One attempt to send a request: a GET by `node:http`, because the Fetch standard forbids a body, and a DELETE by node-fetch. */
import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import type nodeFetch from "node-fetch";
import { readBody, type BodyText } from "./body";
import type { Channel, Service } from "./channel";
import { TunnelAgent } from "./tunnelAgent";

export interface JsonRequest {
  readonly method: "GET" | "DELETE";
  readonly service: Service;
  readonly body: object;
}

export interface RawResponse extends BodyText {
  readonly status: number;
  readonly location: string | null | undefined;
  readonly retryAfter: string | null | undefined;
}

interface Conditions {
  readonly channel: Pick<Channel, "agent" | "headers" | "target">;
  readonly signal: AbortSignal;
  /** Called when the first byte of the request may be on its way. */
  readonly onSent: () => void;
}

/** Returns the response with its whole body. Doesn't follow redirects. When the signal aborts, it rejects and closes the connection. */
export async function send(request: JsonRequest, conditions: Conditions): Promise<RawResponse> {
  const { channel, signal, onSent } = conditions;
  const { method, service } = request;
  const body = JSON.stringify(request.body);
  if (method === "GET") return get(body, conditions);
  const fetch = await (loaded ??= loadFetch());
  const { agent, headers } = channel;
  // With an aborted signal, fetch emits an error that nobody can catch.
  signal.throwIfAborted();
  const watched = watchedAgent(agent, onSent);
  const response = await creating(conditions, () =>
    fetch(service.url, {
      method,
      headers,
      body,
      agent: watched,
      signal,
      redirect: "manual",
      compress: false,
    }),
  );
  return {
    status: response.status,
    location: response.headers.get("location"),
    retryAfter: response.headers.get("retry-after"),
    ...(await readBody(response.body, response.headers.get("content-encoding"))),
  };
}

/** Previews delete nothing, and start faster without it. An import needs processor time also after the first one. */
let loaded: Promise<typeof nodeFetch> | undefined;
const loadFetch = async () => (await import("node-fetch")).default;

/**
 * Listens to the signal itself, because the option `signal` needs more processor time. A request without a connection emits no
 * error when it is destroyed, so the signal rejects.
 */
function get(body: string, conditions: Conditions) {
  const { target, agent } = conditions.channel;
  // Without the length, Node.js writes the body unframed.
  const headers = { ...conditions.channel.headers, "content-length": Buffer.byteLength(body).toString() };
  const { request } = target.protocol === "https:" ? https : http;
  const outgoing = creating(conditions, () => request({ ...target, method: "GET", headers, agent }));
  return new Promise<RawResponse>((resolve, reject) => {
    conditions.signal.addEventListener("abort", () => {
      const error = new Error("aborted");
      reject(error);
      outgoing.destroy(error);
    });
    outgoing.on("socket", (socket) => {
      whenReady(socket, conditions.onSent);
    });
    outgoing.on("response", (incoming) => {
      readBody(incoming, incoming.headers["content-encoding"]).then((body) => {
        resolve(responseOf(incoming, body));
      }, reject);
    });
    // Status 101, which the request didn't ask for. Without this listener, neither a response nor an error would follow.
    outgoing.on("upgrade", (incoming, socket) => {
      socket.destroy();
      resolve(responseOf(incoming, { text: "" }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function responseOf({ statusCode = 0, headers }: http.IncomingMessage, body: BodyText): RawResponse {
  return { status: statusCode, location: headers.location, retryAfter: headers["retry-after"], ...body };
}

/** Creates a request, which may open a tunnel. */
function creating<Created>({ channel: { agent }, signal }: Conditions, create: () => Created): Created {
  return agent instanceof TunnelAgent ? agent.withSignal(signal, create) : create();
}

/** node-fetch shows its request to nobody but the agent, which Node.js asks for a connection with `addRequest`. */
function watchedAgent(agent: http.Agent, onSent: () => void): http.Agent {
  const addRequest: unknown = Reflect.get(agent, "addRequest");
  if (typeof addRequest !== "function") {
    onSent();
    return agent;
  }
  const watching = (request: http.ClientRequest, ...others: unknown[]): void => {
    request.once("socket", (socket) => {
      whenReady(socket, onSent);
    });
    Reflect.apply(addRequest, agent, [request, ...others]);
  };
  return new Proxy(agent, {
    get: (target, key): unknown => (key === "addRequest" ? watching : Reflect.get(target, key)),
  });
}

/** A request is sent after the connection is established, including the TLS handshake. */
function whenReady(socket: Duplex & { readonly connecting?: boolean }, onSent: () => void): void {
  if (socket instanceof TLSSocket && !socket.getFinished()) socket.once("secureConnect", onSent);
  else if (socket.connecting) socket.once("connect", onSent);
  else if (!socket.destroyed) onSent();
}

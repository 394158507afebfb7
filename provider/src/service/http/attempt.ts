/** One attempt to send a request: a GET by `node:http`, because the Fetch standard forbids a body, and a DELETE by node-fetch. */
import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import { version } from "../../version";
import { failed } from "./transportError";
import { TunnelAgent } from "./tunnelAgent";

export interface JsonRequest {
  readonly method: "GET" | "DELETE";
  readonly url: URL;
  readonly authorization: string;
  readonly body: object;
}

export interface RawResponse {
  readonly status: number;
  readonly location: string | null | undefined;
  readonly retryAfter: string | null | undefined;
  readonly text: string;
}

interface Conditions {
  readonly agent: http.Agent;
  readonly signal: AbortSignal;
  /** Called when the first byte of the request may be on its way. */
  readonly onSent: () => void;
}

/** Returns the response with its whole body. Doesn't follow redirects. When the signal aborts, it rejects and closes the connection. */
export async function send(request: JsonRequest, conditions: Conditions): Promise<RawResponse> {
  const body = JSON.stringify(request.body);
  const headers = headersOf(request.authorization, body);
  if (request.method === "GET") return get(request.url, headers, body, conditions);
  // Previews delete nothing, and start faster without it.
  const { default: fetch } = await import("node-fetch");
  const { agent, signal, onSent } = conditions;
  // With an aborted signal, fetch emits an error that nobody can catch.
  signal.throwIfAborted();
  const { method, url } = request;
  onSent();
  const response = await creating(conditions, () =>
    fetch(url, { method, headers, body, agent, signal, redirect: "manual", compress: false }),
  );
  return {
    status: response.status,
    location: response.headers.get("location"),
    retryAfter: response.headers.get("retry-after"),
    text: await textOf(response.body),
  };
}

function headersOf(authorization: string, body: string): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    authorization,
    // Without it, Node.js writes the body of a GET unframed.
    "content-length": Buffer.byteLength(body).toString(),
    "content-type": "application/json",
    "user-agent": `pulumi-user-groups/${version}`,
  };
}

/**
 * Listens to the signal itself, because the option `signal` needs more processor time. A request without a connection emits no
 * error when it is destroyed, so the signal rejects.
 */
function get(url: URL, headers: http.OutgoingHttpHeaders, body: string, conditions: Conditions) {
  const { request } = url.protocol === "https:" ? https : http;
  const outgoing = creating(conditions, () =>
    request(url, { method: "GET", headers, agent: conditions.agent }),
  );
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
      textOf(incoming).then((text) => {
        resolve(responseOf(incoming, text));
      }, reject);
    });
    // Status 101, which the request didn't ask for. Without this listener, neither a response nor an error would follow.
    outgoing.on("upgrade", (incoming, socket) => {
      socket.destroy();
      resolve(responseOf(incoming, ""));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function responseOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): RawResponse {
  return { status: statusCode, location: headers.location, retryAfter: headers["retry-after"], text };
}

/** Creates a request, which may open a tunnel. */
function creating<Created>({ agent, signal }: Conditions, create: () => Created): Created {
  return agent instanceof TunnelAgent ? agent.withSignal(signal, create) : create();
}

/** A request is sent after the connection is established, including the TLS handshake. */
function whenReady(socket: Duplex & { readonly connecting?: boolean }, onSent: () => void): void {
  if (socket instanceof TLSSocket && !socket.getFinished()) socket.once("secureConnect", onSent);
  else if (socket.connecting) socket.once("connect", onSent);
  else if (!socket.destroyed) onSent();
}

/** A group's response has a few hundred bytes. */
const maxResponseBytes = 1024 * 1024;

async function textOf(body: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  let bytes = 0;
  for await (const chunk of body?.setEncoding("utf8") ?? []) {
    text += chunk.toString();
    bytes += Buffer.byteLength(chunk);
    if (bytes > maxResponseBytes)
      throw failed("too-large", "the response was larger than 1 MiB", { isPossiblyApplied: true });
  }
  return text.replace(/^\uFEFF/, "");
}

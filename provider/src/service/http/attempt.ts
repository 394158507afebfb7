/**
 * One attempt of a request. The Fetch standard forbids a GET with a body, so a GET goes through `node:http(s)`. Everything
 * else goes through node-fetch.
 */
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import pLimit from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { version } from "../../version";
import { failed } from "./transportError";

export interface JsonRequest {
  readonly method: "GET" | "DELETE";
  readonly url: URL;
  /** Value of the header `Authorization`. */
  readonly authorization: string;
  readonly body: object;
}

interface Conditions {
  readonly agent: http.Agent;
  readonly signal: AbortSignal;
  /** Called when the first byte of the request may be on its way. */
  readonly onSent: () => void;
}

/** Returns the response with its whole body. Doesn't follow redirects. */
export async function send(request: JsonRequest, { agent, signal, onSent }: Conditions) {
  const { method, url, authorization } = request;
  const body = JSON.stringify(request.body);
  const options = { method, headers: headersOf(authorization, body), agent };
  if (method === "GET") {
    const incoming = await sendWithNodeHttp(url, body, options, signal, onSent);
    const { location, "retry-after": retryAfter } = incoming.headers;
    return { status: incoming.statusCode ?? 0, location, retryAfter, text: await textOf(incoming) };
  }
  // Previews delete nothing, and start faster without it.
  const { default: fetch } = await import("node-fetch");
  onSent();
  const response = await fetch(url, { ...options, body, signal, redirect: "manual", compress: false });
  const [location, retryAfter] = ["location", "retry-after"].map((name) => response.headers.get(name));
  return { status: response.status, location, retryAfter, text: await textOf(response.body) };
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

/** Listens to the signal itself, because the option `signal` needs more processor time. */
function sendWithNodeHttp(
  url: URL,
  body: string,
  options: http.RequestOptions,
  signal: AbortSignal,
  onSent: () => void,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === "https:" ? https : http).request(url, options, resolve);
    outgoing.on("socket", (socket: Socket) => {
      if (outgoing.reusedSocket) onSent();
      else whenEstablished(socket, onSent);
    });
    outgoing.on("error", reject);
    signal.addEventListener("abort", () => outgoing.destroy(new Error("aborted")));
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

/** A group's response has a few hundred bytes. */
const maxResponseLength = 1024 * 1024;

async function textOf(body: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of body?.setEncoding("utf8") ?? []) {
    text += chunk.toString();
    if (text.length > maxResponseLength)
      throw failed("too-large", "the response was larger than 1 MiB", { isPossiblyApplied: true });
  }
  return text.replace(/^\uFEFF/, "");
}

/** The connections of this process, by origin, limit and proxy. */
const connections = new Map<string, ReturnType<typeof newConnection>>();

/** The connection to `url`: through `https_proxy` for https, unless `no_proxy` names the host. */
export function connectionTo(url: URL, maxConnections: number) {
  const proxy = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  const key = [url.origin, maxConnections, proxy].join(" ");
  const connection = connections.get(key) ?? newConnection(url, proxy, maxConnections);
  connections.set(key, connection);
  return connection;
}

/** Keeps at most `maxConnections` connections, and runs as many requests at a time; the others wait, first come, first served. */
function newConnection({ protocol, hostname }: URL, proxy: string, maxConnections: number) {
  const queue = pLimit(maxConnections);
  const options = { keepAlive: true, maxSockets: maxConnections };
  if (proxy === "")
    return { queue, agent: protocol === "https:" ? new https.Agent(options) : new http.Agent(options) };
  const agent = new HttpsProxyAgent(proxy, options);
  // The agent alone would check the certificate of a host that is an IP address for the name "localhost".
  const host = hostname.replace(/^\[|\]$/g, "");
  agent.options.checkServerIdentity = (_, certificate) => checkServerIdentity(host, certificate);
  return { queue, agent };
}

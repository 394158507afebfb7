/**
 * One attempt of a request. The Fetch standard forbids a GET with a body, so a GET goes through `node:http(s)`. Everything
 * else goes through node-fetch.
 */
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import pLimit, { type LimitFunction } from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { version } from "../../version";
import { tooLargeError } from "./transportError";

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

/** A response with its whole body, as it was sent. */
export interface RawResponse {
  readonly status: number;
  readonly header: (name: Header) => string | undefined;
  readonly bytes: Uint8Array;
}

type Header = "location" | "retry-after";

/** A larger response fails. A group's response has a few hundred bytes. */
const maxResponseBytes = 1024 * 1024;

/** Sends `body`. Doesn't follow redirects. */
export function send(attempt: Attempt, body: string, conditions: Conditions): Promise<RawResponse> {
  return attempt.method === "GET"
    ? sendWithNodeHttp(attempt, body, conditions)
    : sendWithNodeFetch(attempt, body, conditions);
}

/** Listens to the signal itself, because the option `signal` needs more processor time. */
function sendWithNodeHttp(
  attempt: Attempt,
  body: string,
  { agent, signal, onSent }: Conditions,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { request } = attempt.url.protocol === "https:" ? https : http;
    const options = { method: attempt.method, headers: headersOf(attempt, body), agent };
    const outgoing = request(attempt.url, options, (incoming) => {
      read(incoming).then(resolve, reject);
    });
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

function read(incoming: http.IncomingMessage): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseBytes) incoming.destroy(tooLargeError());
    });
    incoming.on("error", reject);
    incoming.on("end", () => {
      const { statusCode: status = 0, headers } = incoming;
      resolve({ status, header: (name) => headers[name], bytes: Buffer.concat(chunks) });
    });
  });
}

async function sendWithNodeFetch(
  attempt: Attempt,
  body: string,
  { agent, signal, onSent }: Conditions,
): Promise<RawResponse> {
  // Previews delete nothing, and start faster without it.
  const { default: fetch } = await import("node-fetch");
  onSent();
  const options = { method: attempt.method, headers: headersOf(attempt, body), agent, signal, body };
  const limits = { redirect: "manual", compress: false, size: maxResponseBytes } as const;
  const response = await fetch(attempt.url, { ...options, ...limits });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
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

/** The queues of this process. */
const queues = new Map<string, LimitFunction>();

/** The queue for the origin of a URL. It runs at most so many requests at a time; the others wait, first come, first served. */
export function queueFor({ origin }: URL, maxConnections: number): LimitFunction {
  const key = `${origin} ${maxConnections}`;
  const queue = queues.get(key) ?? pLimit(maxConnections);
  queues.set(key, queue);
  return queue;
}

/** One keep-alive agent for each origin: connections are reused, and there are never more than `maxConnections`. */
const agents = new Map<string, http.Agent>();

/** The agent for `url`: through `https_proxy` for https, unless `no_proxy` names the host. */
export function agentFor(url: URL, maxConnections: number): http.Agent {
  const proxy = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  const key = [url.origin, maxConnections, proxy].join(" ");
  const agent = agents.get(key) ?? newAgent(url, proxy, { keepAlive: true, maxSockets: maxConnections });
  agents.set(key, agent);
  return agent;
}

function newAgent(url: URL, proxy: string, options: http.AgentOptions): http.Agent {
  if (proxy !== "") return newProxyAgent(proxy, url.hostname, options);
  return url.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
}

/** The agent alone would check the certificate of a host that is an IP address for the name "localhost". */
function newProxyAgent(proxy: string, hostname: string, options: http.AgentOptions): http.Agent {
  const agent = new HttpsProxyAgent(proxy, options);
  const host = hostname.replace(/^\[|\]$/g, "");
  agent.options.checkServerIdentity = (_, certificate) => checkServerIdentity(host, certificate);
  return agent;
}

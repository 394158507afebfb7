import http from "node:http";
import https from "node:https";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import pLimit from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { getOrAdd } from "../../values";
import { version } from "../../version";
import { failed } from "./transportError";

export interface JsonRequest {
  readonly method: "GET" | "DELETE";
  readonly url: URL;
  readonly authorization: string;
  readonly body: object;
}

interface Conditions {
  readonly agent: http.Agent;
  readonly signal: AbortSignal;
  /** Called when the first byte of the request may be on its way. */
  readonly onSent: () => void;
}

/**
 * Returns the response with its whole body. Doesn't follow redirects. The Fetch standard forbids a GET with a body, so a GET
 * goes through `node:http(s)`.
 */
export async function send({ method, url, authorization, body: json }: JsonRequest, conditions: Conditions) {
  const { agent, signal, onSent } = conditions;
  const body = JSON.stringify(json);
  const options = { method, headers: headersOf(authorization, body), agent };
  if (method === "GET") {
    const outgoing = (url.protocol === "https:" ? https : http).request(url, options);
    const incoming = await responseTo(outgoing, body, conditions);
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

/**
 * A request is sent after the connection is established, including the TLS handshake. Listens to the signal itself, because
 * the option `signal` needs more processor time.
 */
function responseTo(outgoing: http.ClientRequest, body: string, { signal, onSent }: Conditions) {
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    outgoing.on("response", resolve).on("error", reject);
    outgoing.on("socket", (socket) => {
      if (socket instanceof TLSSocket && !socket.getFinished()) socket.once("secureConnect", onSent);
      else if (socket.connecting) socket.once("connect", onSent);
      else if (!socket.destroyed) onSent();
    });
    signal.addEventListener("abort", () => outgoing.destroy(new Error("aborted")));
    outgoing.end(body);
  });
}

/** A group's response has a few hundred bytes. */
const maxResponseBytes = 1024 * 1024;

async function textOf(body: NodeJS.ReadableStream | null): Promise<string> {
  let [text, bytes] = ["", 0];
  for await (const chunk of body?.setEncoding("utf8") ?? []) {
    text += chunk.toString();
    bytes += Buffer.byteLength(chunk);
    if (bytes > maxResponseBytes)
      throw failed("too-large", "the response was larger than 1 MiB", { isPossiblyApplied: true });
  }
  return text.replace(/^\uFEFF/, "");
}

const channels = new Map<string, ReturnType<typeof newChannel>>();

/** Queue and agent for `url`: through `https_proxy` for https, unless `no_proxy` names the host. */
export function channelTo(url: URL, maxConnections: number) {
  const proxy = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  const key = [url.origin, maxConnections, proxy].join(" ");
  return getOrAdd(channels, key, () => newChannel(url, proxy, maxConnections));
}

/** Runs at most `maxConnections` requests at a time; the others wait, first come, first served. */
function newChannel({ protocol, hostname }: URL, proxy: string, maxConnections: number) {
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

/** The way to a service: a queue that limits the requests at a time, and an agent that keeps connections. */
import http from "node:http";
import https from "node:https";
import pLimit from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { getOrAdd } from "../../values";
import { TunnelAgent } from "./tunnelAgent";

const channels = new Map<string, ReturnType<typeof newChannel>>();

/** Queue and agent for `url`: through `https_proxy` for https, unless `no_proxy` names the host. */
export function channelTo(url: URL, maxConnections: number) {
  const proxy = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  const key = [url.origin, maxConnections, proxy].join(" ");
  return getOrAdd(channels, key, () => newChannel(url, proxy, maxConnections));
}

/** Runs at most `maxConnections` requests at a time; the others wait, first come, first served. */
function newChannel({ protocol }: URL, proxy: string, maxConnections: number) {
  return { queue: pLimit(maxConnections), agent: newAgent(protocol, proxy, maxConnections) };
}

function newAgent(protocol: string, proxy: string, maxConnections: number): http.Agent {
  const kept = { keepAlive: true, maxSockets: maxConnections };
  if (protocol === "http:") return new http.Agent(kept);
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would disable the check of certificates.
  const secure = { ...kept, rejectUnauthorized: true };
  if (proxy === "") return new https.Agent(secure);
  // Without a limit of its own, the agent opens each tunnel while the request is created.
  return new TunnelAgent(proxy, { ...secure, maxSockets: Infinity });
}

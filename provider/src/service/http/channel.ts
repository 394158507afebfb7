/** The way to a service: a queue that limits the requests at a time, and an agent that keeps connections. */
import http from "node:http";
import https from "node:https";
import pLimit from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { getOrAdd } from "../../values";
import type { JsonRequest } from "./attempt";
import { TunnelAgent } from "./tunnelAgent";

type Identity = JsonRequest["identity"];

const queues = new Map<string, ReturnType<typeof pLimit>>();
const agents = new Map<string, http.Agent>();

/**
 * Queue and agent for `url`: through `https_proxy` for https, unless `no_proxy` names the host. The queue runs at most `maxConnections`
 * requests at a time; the others wait, first come, first served.
 */
export function channelTo(url: URL, maxConnections: number, identity?: Identity) {
  const proxy = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  const key = [url.origin, maxConnections, proxy].join(" ");
  const agentKey = JSON.stringify([key, identity?.cert, identity?.key]);
  const queue = getOrAdd(queues, key, () => pLimit(maxConnections));
  const agent = getOrAdd(agents, agentKey, () => newAgent(url.protocol, proxy, maxConnections, identity));
  return { queue, agent };
}

function newAgent(protocol: string, proxy: string, maxConnections: number, identity: Identity): http.Agent {
  const kept = { keepAlive: true, maxSockets: maxConnections };
  if (protocol === "http:") return new http.Agent(kept);
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would disable the check of certificates.
  const secure = { ...kept, ...identity, rejectUnauthorized: true };
  if (proxy === "") return new https.Agent(secure);
  // Without a limit of its own, the agent opens each tunnel while the request is created.
  return new TunnelAgent(proxy, { ...secure, maxSockets: Infinity });
}

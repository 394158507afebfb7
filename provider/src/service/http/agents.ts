/** One keep-alive agent for each origin: connections are reused, and there are never more than `maxConnections`. */
import http from "node:http";
import https from "node:https";
import { checkServerIdentity } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";

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

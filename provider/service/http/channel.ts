/** The way to a service: a queue that limits the requests at a time, a pace, an agent that keeps connections, and what each request has. */
import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import pLimit, { type LimitFunction } from "p-limit";
import { getProxyForUrl } from "proxy-from-env";
import { getOrAdd } from "../../values";
import { version } from "../../version";
import { Pace } from "./pace";
import { TunnelAgent, type ProxyAddress } from "./tunnelAgent";

/** A service as the settings describe it. It is made once for them, because a connection belongs to it. */
export interface Service {
  readonly url: URL;
  readonly authorization: string;
  /** Beside those of the package. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The client certificate and its key, in PEM. */
  readonly tlsIdentity?: { readonly cert: string; readonly key: string } | undefined;
  readonly maxConnections: number;
  readonly requestsPerSecond?: number | undefined;
  /** The longest time of one attempt. */
  readonly attemptMilliseconds: number;
}

export interface Channel {
  /** Runs at most `maxConnections` requests at a time; the others wait, first come, first served. */
  readonly queue: LimitFunction;
  readonly pace: Pace;
  readonly agent: http.Agent;
  readonly target: http.RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
}

const channels = new WeakMap<Service, Channel>();
const queues = new Map<string, LimitFunction>();
const paces = new Map<string, Pace>();
const agents = new Map<string, http.Agent>();

/** The channel goes through `https_proxy` for https, unless `no_proxy` names the host. */
export function channelTo(service: Service): Channel {
  return getOrAdd(channels, service, () => {
    const { url, maxConnections, tlsIdentity } = service;
    const proxy = proxyFor(url);
    const key = [url.origin, maxConnections, proxy?.address].join(" ");
    const agentKey = JSON.stringify([key, tlsIdentity?.cert, tlsIdentity?.key, connectMilliseconds(service)]);
    return {
      queue: getOrAdd(queues, key, () => pLimit(maxConnections)),
      pace: getOrAdd(paces, url.href, () => new Pace()),
      agent: getOrAdd(agents, agentKey, () => newAgent(service, proxy)),
      target: urlToHttpOptions(url),
      headers: headersOf(service),
    };
  });
}

/** Of the variables for https, the first with a value counts. */
function proxyFor(url: URL): ProxyAddress | undefined {
  const address = url.protocol === "https:" ? getProxyForUrl(url.href) : "";
  if (address === "") return undefined;
  const names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
  return { variable: names.find((name) => process.env[name]) ?? "https_proxy", address };
}

function newAgent(service: Service, proxy: ProxyAddress | undefined): http.Agent {
  const { url, maxConnections, tlsIdentity } = service;
  const connecting = { autoSelectFamilyAttemptTimeout: connectMilliseconds(service) };
  const kept = { ...connecting, keepAlive: true, maxSockets: maxConnections };
  if (url.protocol === "http:") return new http.Agent(kept);
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would disable the check of certificates.
  const secure = { ...kept, ...tlsIdentity, rejectUnauthorized: true };
  if (proxy === undefined) return new https.Agent(secure);
  // Without a limit of its own, the agent opens each tunnel while the request is created.
  return new TunnelAgent(proxy, { ...secure, maxSockets: Infinity });
}

/**
 * The time for a connection to one of several addresses of a name. Node.js's 250 ms are too short for another continent. An attempt has
 * time for four addresses.
 */
function connectMilliseconds({ attemptMilliseconds }: Service): number {
  return Math.ceil(Math.min(attemptMilliseconds / 4, 5_000));
}

function headersOf({ authorization, headers }: Service): Record<string, string> {
  return {
    ...headers,
    accept: "application/json",
    "accept-encoding": "identity",
    authorization,
    // A cache knows a GET by its address, and would repeat the response to another body.
    "cache-control": "no-store",
    "content-type": "application/json",
    "user-agent": `pulumi-user-groups/${version}`,
  };
}

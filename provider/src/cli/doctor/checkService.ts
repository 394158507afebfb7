/** Checks the connection to the service with a HEAD request, without the API token. */
import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import { getProxyForUrl } from "proxy-from-env";
import { agentFor } from "../../service/http/agents";
import { toTransportError, TransportError } from "../../service/http/transportError";
import { transportRemedies } from "../../service/responseErrors";
import { findSetting, type SettingSources } from "../../settings/readSettings";
import { serviceAddress } from "../../settings/serviceAddress";
import type { Result } from "./report";

const longestMilliseconds = 10_000;

export async function checkService(sources: SettingSources, connection?: string): Promise<Result> {
  const url = addressIn(sources, connection);
  if (!url)
    return {
      status: "skipped",
      text: "The service wasn't checked, because its address isn't known",
      remedy: "Set it, in the environment or in the stack's configuration.",
    };
  const route = routeTo(url);
  const signal = AbortSignal.timeout(longestMilliseconds);
  try {
    const { status, tls } = await attempt(url, signal);
    if (url.protocol === "https:" && tls === undefined) return refusedByProxy(status, route);
    return { status: "ok", text: `The service's host answers (${route}, ${tls ?? "no TLS"})` };
  } catch (error) {
    const known = toTransportError(error, { isTimedOut: signal.aborted, isSent: true });
    if (!(known instanceof TransportError)) throw error;
    const [, remedy] = transportRemedies({ connection })[known.fault.failure];
    const text = `The service's host can't be reached (${route}): ${known.fault.message}`;
    return { status: "failed", text, remedy };
  }
}

/** The address; undefined if it is encrypted, or if the check of the settings reports it. */
function addressIn(sources: SettingSources, connection?: string): URL | undefined {
  try {
    return new URL(serviceAddress.parse(findSetting("baseUrl", sources, connection).value));
  } catch {
    return undefined;
  }
}

/** Resolves with any response, because any response shows that the host is reachable. */
function attempt(url: URL, signal: AbortSignal): Promise<{ status: number; tls: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const options = { method: "HEAD", agent: agentFor(url, 1), signal };
    request(url, options, (response) => {
      const tls = response.socket instanceof TLSSocket ? response.socket.getProtocol() : undefined;
      response.resume();
      resolve({ status: response.statusCode ?? 0, tls: tls ?? undefined });
    })
      .on("error", reject)
      .end();
  });
}

/** A response to https without TLS comes from the proxy, which opened no tunnel. */
function refusedByProxy(status: number, route: string): Result {
  return {
    status: "failed",
    text: `The proxy opened no connection to the service's host, and returned status ${status} (${route})`,
    remedy:
      status === 407
        ? "Add user name and password to the proxy's address."
        : "Check that the proxy is allowed to connect to the host.",
  };
}

/** Only https goes through a proxy. The proxy's address isn't shown, because it may contain a password. */
function routeTo(url: URL): string {
  if (url.protocol !== "https:" || getProxyForUrl(url.href) === "") return "without a proxy";
  const variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
  return `through the proxy of ${variables.find((name) => process.env[name]) ?? "the environment"}`;
}

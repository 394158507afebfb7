/** Whether the service can be reached: an attempt without the API token, which asks for nothing. */
import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import { getProxyForUrl } from "proxy-from-env";
import { agentFor } from "../../service/http/agents";
import { toTransportError, TransportError } from "../../service/http/transportError";
import { transportRemedies } from "../../service/responseErrors";
import { findSetting, settingIssue } from "../../settings/readSettings";
import { sealed, sourcesOf, type StackConfiguration } from "./configuration";
import { failed, ok, skipped, type Finding } from "./finding";

const longestMilliseconds = 10_000;

export async function checkService(configuration: StackConfiguration, connection?: string): Promise<Finding> {
  const url = addressIn(configuration, connection);
  if (!url)
    return skipped(
      "service",
      "The service wasn't asked, since its address isn't known",
      "Set it, or for this run give it by the environment.",
    );
  const way = wayTo(url);
  const signal = AbortSignal.timeout(longestMilliseconds);
  try {
    const { status, tls } = await attempt(url, signal);
    if (url.protocol === "https:" && tls === undefined) return refusedByProxy(status, way);
    return ok("service", `The service's host answers (${way}, ${tls ?? "no TLS"})`);
  } catch (error) {
    const known = toTransportError(error, { isTimedOut: signal.aborted, isSent: true });
    if (!(known instanceof TransportError)) throw error;
    const [, remedy] = transportRemedies({ connection })[known.fault.failure];
    return failed("service", `The service's host can't be reached (${way}): ${known.fault.message}`, remedy);
  }
}

/** The address, where it is known and right. */
function addressIn(configuration: StackConfiguration, connection?: string): URL | undefined {
  try {
    const { value } = findSetting("baseUrl", sourcesOf(configuration), connection);
    const isKnown = value !== undefined && value !== sealed && settingIssue("baseUrl", value) === undefined;
    return isKnown ? new URL(value) : undefined;
  } catch {
    return undefined; // An object of settings that is none, as the settings' own check says.
  }
}

/** Whatever the answer is: a host that answers is there. */
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

/** An answer to https without TLS is the proxy's own: it made no tunnel. */
function refusedByProxy(status: number, way: string): Finding {
  return failed(
    "service",
    `The proxy makes no connection to the service's host: it answers with status ${status} (${way})`,
    status === 407
      ? "Put a login into the proxy's address."
      : "Check the proxy, and whether it may reach the host.",
  );
}

/** Only https goes through a proxy. Its address isn't shown, since it may hold a login. */
function wayTo(url: URL): string {
  if (url.protocol !== "https:" || getProxyForUrl(url.href) === "") return "without a proxy";
  const variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
  return `through the proxy of ${variables.find((name) => process.env[name]) ?? "the environment"}`;
}

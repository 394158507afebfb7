/**
 * Connections through a proxy: a tunnel by CONNECT (RFC 9110, section 9.3.6), and TLS with the service inside it. Whatever else
 * the proxy answers is an error of the connection, and never a response of the service.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import https from "node:https";
import { isIP, isIPv6 } from "node:net";
import { unescape } from "node:querystring";
import type { Duplex } from "node:stream";
import { codeOf, failed, proxyError } from "./transportError";

/** The answer to CONNECT has a few hundred bytes. */
const maxAnswerBytes = 16 * 1024;

/** `variable`: that of the environment which has the address. */
export interface ProxyAddress {
  readonly variable: string;
  readonly address: string;
}

export class TunnelAgent extends https.Agent {
  readonly proxy: URL;
  readonly #signals = new AsyncLocalStorage<AbortSignal>();

  constructor({ variable, address }: ProxyAddress, options: https.AgentOptions) {
    super(options);
    const { protocol = "" } = URL.canParse(address) ? new URL(address) : {};
    if (protocol.startsWith("socks")) throw failed("socks-proxy", variable);
    if (!/^https?:$/.test(protocol)) throw failed("no-proxy-url", variable);
    this.proxy = new URL(address);
  }

  /** Runs `create`, which creates a request. If that opens a tunnel, `signal` ends the attempt to do so. */
  withSignal<Created>(signal: AbortSignal, create: () => Created): Created {
    return this.#signals.run(signal, create);
  }

  /** Node.js calls it while it creates a request, which it doesn't pass. */
  override createConnection(
    options: https.RequestOptions,
    callback: (error: Error | null, socket?: Duplex | null) => void,
  ): undefined {
    const { autoSelectFamilyAttemptTimeout } = this.options;
    const connecting = { autoSelectFamilyAttemptTimeout, signal: this.#signals.getStore() };
    openTunnel(this.proxy, options, connecting, (error, tunnel) => {
      if (error) callback(error);
      else callback(null, super.createConnection(Object.assign(options, { socket: tunnel })));
    });
  }
}

function openTunnel(
  proxy: URL,
  { host, port }: https.RequestOptions,
  connecting: http.RequestOptions,
  callback: (error: Error | null, tunnel?: Duplex) => void,
): void {
  const target = `${isIPv6(host ?? "") ? `[${host}]` : host}:${port}`;
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, "");
  const request = (proxy.protocol === "https:" ? https : http).request({
    method: "CONNECT",
    path: target,
    host: proxyHost,
    port: proxy.port,
    headers: { host: target, connection: "keep-alive", ...credentialsOf(proxy) },
    agent: false,
    maxHeaderSize: maxAnswerBytes,
    // Otherwise Node.js checks the certificate of the proxy for the name of the target.
    servername: isIP(proxyHost) ? "" : proxyHost,
    rejectUnauthorized: true,
    ...connecting,
  });
  request.on("connect", ({ statusCode = 0 }, tunnel: Duplex, rest) => {
    // The service speaks after the client, so the rest is the proxy's.
    if (statusCode === 200 && rest.length === 0) {
      callback(null, tunnel);
      return;
    }
    tunnel.destroy();
    callback(proxyError(statusCode));
  });
  request.on("error", (error) => {
    const code = codeOf(error);
    callback(code === undefined ? error : proxyError(code));
  });
  request.end();
}

function credentialsOf({ username, password }: URL): http.OutgoingHttpHeaders {
  if (username + password === "") return {};
  const credentials = Buffer.from(`${unescape(username)}:${unescape(password)}`).toString("base64");
  return { "proxy-authorization": `Basic ${credentials}` };
}

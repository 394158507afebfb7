/** A gateway in front of a service, which demands a header or a client certificate. */
import { once } from "node:events";
import { createServer, request, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { createServer as createTlsServer } from "node:https";
import type { Emulator } from "../../../provider/testing";
import { loopbackCertificate as tls } from "../../unit/testing/loopbackCertificate";
import { portOf } from "./port";

export interface Demand {
  readonly header?: readonly [name: string, value: string];
  /** Over TLS with the tests' certificate. Default: over TCP. */
  readonly isTls: boolean;
  /** The tests' certificate of the client, too. */
  readonly isMutual?: boolean;
  /** Whether it repeats the response to a GET of the same address, unless the request forbids to store it (RFC 9111, section 5.2.1.5). */
  readonly isCache?: boolean;
}

interface Stored {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Runs a test with the address of a gateway. */
export async function withGateway(
  emulator: Emulator,
  { header: [name, value] = ["host", ""], isTls, isMutual = false, isCache = false }: Demand,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const stored = new Map<string, Stored>();
  const forward: RequestListener = (incoming, response) => {
    if (!String(incoming.headers[name]).includes(value)) {
      response.writeHead(403, { "content-type": "text/html" }).end("<html>Forbidden</html>");
      return;
    }
    const { method, headers, url = "" } = incoming;
    const isStored = isCache && method === "GET" && headers["cache-control"] !== "no-store";
    const repeated = isStored ? stored.get(url) : undefined;
    if (repeated) {
      response.writeHead(repeated.status, repeated.headers).end(repeated.body);
      return;
    }
    const onward = request(`${emulator.baseUrl}${url}`, { method, headers }, (answer) => {
      void buffer(answer).then((body) => {
        const { statusCode: status = 0, headers } = answer;
        if (isStored) stored.set(url, { status, headers, body });
        response.writeHead(status, headers).end(body);
      });
    });
    incoming.pipe(onward);
  };
  const identity = { ca: tls.cert, requestCert: isMutual, rejectUnauthorized: isMutual };
  const server = isTls ? createTlsServer({ ...tls, ...identity }, forward) : createServer(forward);
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    await test(`${isTls ? "https" : "http"}://127.0.0.1:${portOf(server)}`);
  } finally {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

/** A gateway in front of a service, which demands a header or a client certificate. */
import { once } from "node:events";
import { createServer, request, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Emulator } from "../../provider/src/testing";
import { loopbackCertificate as tls } from "../unit/testing/loopbackCertificate";
import { portOf } from "./port";

export interface Demand {
  readonly header?: readonly [name: string, value: string];
  /** Over TLS with the tests' certificate. Default: over TCP. */
  readonly isTls: boolean;
  /** The tests' certificate of the client, too. */
  readonly isMutual?: boolean;
}

/** Runs a test with the address of a gateway. */
export async function withGateway(
  emulator: Emulator,
  { header: [name, value] = ["host", ""], isTls, isMutual = false }: Demand,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const forward: RequestListener = (incoming, response) => {
    if (!String(incoming.headers[name]).includes(value)) {
      response.writeHead(403, { "content-type": "text/html" }).end("<html>Forbidden</html>");
      return;
    }
    const { method, headers } = incoming;
    const onward = request(`${emulator.baseUrl}${incoming.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
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

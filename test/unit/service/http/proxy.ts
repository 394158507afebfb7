import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { portOf } from "../../../harness/portOf";

export interface Proxy {
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly connects: readonly string[];
  /** Everything that clients sent: the heads of their requests, and the bytes in the tunnels. */
  readonly received: () => string;
  /** The requests that weren't for a tunnel. */
  readonly others: readonly string[];
}

/** Runs a test with a proxy that opens every tunnel, or answers each CONNECT with `refusal`. */
export async function withProxy(refusal: string | undefined, test: (proxy: Proxy) => Promise<void>) {
  const connects: string[] = [];
  const others: string[] = [];
  const sockets = new Set<Socket>();
  let received = "";
  const server = createServer((request, response) => {
    others.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.end();
  });
  server.on("connect", ({ url = "", rawHeaders }, client: Socket) => {
    connects.push(url);
    received += rawHeaders.join("\n");
    sockets.add(client);
    client.on("error", () => client.destroy());
    if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => target.destroy()).on("data", (bytes) => (received += bytes.toString("latin1")));
    client.pipe(target).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    await test({ url: `http://127.0.0.1:${portOf(server)}`, connects, received: () => received, others });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await once(server.close(), "close");
  }
}

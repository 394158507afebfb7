import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { portOf } from "../../../harness/portOf";

export interface Proxy {
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly connects: readonly string[];
  /** All that clients sent: the heads of their requests, and what went through the tunnels. */
  readonly heard: () => string;
  /** All else that arrived: the requests that weren't for a tunnel. */
  readonly others: readonly string[];
  stop(): Promise<void>;
}

/** Starts a proxy that tunnels to wherever it is asked, or answers each CONNECT with `refusal`. */
export async function startProxy(refusal?: string): Promise<Proxy> {
  const connects: string[] = [];
  const others: string[] = [];
  const sockets = new Set<Socket>();
  let heard = "";
  const server = createServer((request, response) => {
    others.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.end();
  });
  server.on("connect", ({ url = "", rawHeaders }, client: Socket) => {
    connects.push(url);
    heard += rawHeaders.join("\n");
    sockets.add(client);
    client.on("error", () => client.destroy());
    if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    target.on("error", () => client.destroy());
    target.on("close", () => client.destroy());
    client.on("close", () => target.destroy());
    client.on("data", (bytes: Buffer) => (heard += bytes.toString("latin1")));
    client.pipe(target).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = portOf(server);
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://127.0.0.1:${port}`, connects, heard: () => heard, others, stop };
}

import { once } from "node:events";
import * as net from "node:net";
import { setImmediate } from "node:timers/promises";

/** A port in front of a service, which can be shut or break connections off. */
export interface Gate {
  /** What was the service's own address, with the gate's port. */
  readonly url: string;
  /** Every connection is reset as soon as it is made, and those that are there at once. */
  reset(): void;
  /** Nobody listens. */
  shut(): Promise<void>;
  /** Connections reach the service. */
  open(): Promise<void>;
  /** Its end. */
  stop(): Promise<void>;
}

export async function newGate(serviceUrl: string): Promise<Gate> {
  const service = new URL(serviceUrl);
  const sockets = new Set<net.Socket>();
  let isResetting = false;
  const server = net.createServer((socket) => {
    if (isResetting) {
      breakOff(socket);
      return;
    }
    const onward = net.connect(Number(service.port), service.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => sockets.delete(one) && other.destroy());
      one.pipe(other);
    }
  });
  const breakAll = () => {
    for (const socket of sockets) breakOff(socket);
  };
  const stop = async () => {
    breakAll();
    // A client of this process notices before another server can get the port. Otherwise it would use its connection once more.
    await setImmediate();
    await setImmediate();
    const closed = server.listening ? once(server, "close") : undefined;
    server.close();
    breakAll();
    reservation?.resetAndDestroy();
    await closed;
  };
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const port = portOf(server);
  /** While nobody listens, a connection from the port keeps other servers of this machine from getting it. */
  let reservation: net.Socket | undefined;
  const url = new URL(serviceUrl);
  url.port = String(port);
  return {
    url: url.href,
    shut: async () => {
      await stop();
      const own = { localAddress: "127.0.0.1", localPort: port };
      reservation = net.connect({ host: service.hostname, port: Number(service.port), ...own });
      reservation.on("error", () => undefined);
      await once(reservation, "connect");
    },
    reset: () => {
      isResetting = true;
      breakAll();
    },
    open: async () => {
      isResetting = false;
      reservation?.resetAndDestroy();
      if (!server.listening) await listen(port);
    },
    stop,
  };
}

/** A socket that is reset while it ends never closes (libuv), so that Node.js can't exit. */
function breakOff(socket: net.Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** The port of a server that listens. */
export function portOf(server: net.Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  return address.port;
}

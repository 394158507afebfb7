import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Numbers and counts the connections of a server; of https those whose handshake succeeded. */
export class Connections {
  opened = 0;
  peak = 0;
  readonly #open = new Set<Socket>();
  readonly #numbers = new WeakMap<Socket, number>();
  readonly #transports = new Set<Socket>();

  constructor(server: Server, established: "connection" | "secureConnection") {
    server.on("connection", (socket: Socket) => {
      holdWhileOpen(this.#transports, socket);
    });
    server.on(established, (socket: Socket) => {
      holdWhileOpen(this.#open, socket);
      this.#numbers.set(socket, ++this.opened);
      this.peak = Math.max(this.peak, this.open);
    });
  }

  get open(): number {
    return this.#open.size;
  }

  /** From 1; the same for all requests on one connection. */
  numberOf(socket: Socket): number {
    return this.#numbers.get(socket) ?? 0;
  }

  /** Those in the middle of a TLS handshake too, which would otherwise hold up the close of the server. */
  destroyAll(): void {
    for (const socket of this.#transports) socket.destroy();
  }
}

function holdWhileOpen(held: Set<Socket>, socket: Socket): void {
  held.add(socket);
  socket.once("close", () => held.delete(socket));
}

/** A server to which connections take longer than Node.js gives one address of a name. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Accepts nothing until the shared number changes. Then it passes everything on. */
const program = `
  const { parentPort, workerData: { target, isOpen } } = require("node:worker_threads");
  const { connect, createServer } = require("node:net");
  const server = createServer((client) => {
    const service = connect(target, "127.0.0.1");
    client.on("error", () => service.destroy()).on("close", () => service.destroy());
    service.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.pipe(service).pipe(client);
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(isOpen, 0, 0);
  });`;

/** Runs a test with the port, which leads to that of `target`. `onConnecting`: to be called when somebody connects. */
export async function withFarAway(
  target: number,
  test: (port: number, onConnecting: () => void) => Promise<void>,
): Promise<void> {
  const isOpen = new Int32Array(new SharedArrayBuffer(4));
  const open = () => {
    Atomics.store(isOpen, 0, 1);
    Atomics.notify(isOpen, 0);
  };
  const worker = new Worker(program, { eval: true, workerData: { target, isOpen } });
  try {
    const port = Number((await once(worker, "message"))[0]);
    // They fill the queue of the operating system, so the next one has to try again after a second.
    const first = [1, 2, 3].map(() => connect(port, "127.0.0.1").on("error", () => undefined));
    await once(first[0] ?? worker, "connect");
    await test(port, () => void sleep(400).then(open));
    for (const socket of first) socket.destroy();
  } finally {
    open();
    await worker.terminate();
  }
}

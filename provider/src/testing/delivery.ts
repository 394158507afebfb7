import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** How the bytes of an answer leave, or don't. */
export type Manner =
  | { readonly how: "whole" | "half" | "drop" | "silence" }
  | { readonly how: "drip"; readonly ms: number }
  | { readonly how: "padded"; readonly bytes: number };

/** An answer as it goes over the wire. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly manner: Manner;
  /** Milliseconds to wait first. */
  readonly delay: number;
}

/** Sends an answer; a client that has gone away meanwhile is no error. */
export async function deliver(response: ServerResponse, delivery: Delivery): Promise<void> {
  // Unreferenced: a pending answer must not keep alive a process whose emulator has stopped.
  if (delivery.delay > 0) await sleep(delivery.delay, undefined, { ref: false });
  if (response.destroyed) return;
  const { manner, body } = delivery;
  if (manner.how === "silence") return;
  if (manner.how === "drop") return void response.destroy();
  response.writeHead(delivery.status, framed(delivery));
  if (manner.how === "whole") response.end(body);
  else if (manner.how === "half") response.write(body.subarray(0, body.length / 2), () => response.destroy());
  else
    await pipeline(Readable.from(chunks(body, manner), { objectMode: false }), response).catch(ignoreLeaver);
}

/** Padded answers go without a length, as an endless answer would. */
function framed({ headers, body, manner }: Delivery): Record<string, string> {
  return manner.how === "padded" ? { ...headers } : { "content-length": String(body.length), ...headers };
}

async function* chunks(body: Buffer, manner: Manner): AsyncGenerator<Buffer> {
  if (manner.how === "drip") yield* drops(body, manner.ms);
  if (manner.how === "padded") yield* padded(body, manner.bytes);
}

async function* drops(body: Buffer, ms: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < body.length; index += 1) {
    yield body.subarray(index, index + 1);
    await sleep(ms, undefined, { ref: false });
  }
}

function* padded(body: Buffer, bytes: number): Generator<Buffer> {
  yield body;
  const blanks = Buffer.alloc(65_536, " ");
  for (let left = bytes - body.length; left > 0; left -= blanks.length) yield blanks.subarray(0, left);
}

function ignoreLeaver(): void {
  // The client closed the connection, which is what many a fault is ordered for.
}

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmulatedResponse } from "./faults";

/** A response on its way to the client. */
export interface Delivery {
  /** Undefined: none. */
  readonly response: EmulatedResponse | undefined;
  /** Whether to close the connection instead. */
  readonly drops: boolean;
  /** Milliseconds to wait first. */
  readonly delay: number;
}

/** Sends a response. A client that has gone away meanwhile is no error. */
export async function deliver(target: ServerResponse, { response, drops, delay }: Delivery): Promise<void> {
  // Unreferenced: a pending response must not keep a process alive whose emulator has stopped.
  if (delay > 0) await sleep(delay, undefined, { ref: false });
  if (target.destroyed) return;
  if (drops) return void target.destroy();
  if (!response) return;
  const { status, headers, body } = response;
  if (typeof body === "string" || body instanceof Uint8Array) {
    const bytes = Buffer.from(body);
    target.writeHead(status, { "content-length": String(bytes.length), ...headers }).end(bytes);
  } else {
    target.writeHead(status, headers);
    await pipeline(Readable.from(body, { objectMode: false }), target).catch(ignore);
  }
}

function ignore(): void {
  // The client closed the connection, or the body threw: `pipeline` has closed the connection then.
}

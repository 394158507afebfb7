import { once } from "node:events";
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { request as requestByTls } from "node:https";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../provider/src/testing";

/** One request; what isn't given is as the interface wants it. */
export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
  /** The certificate to trust. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** Runs a test against an emulator of its own. */
export async function withEmulator(
  options: EmulatorOptions,
  test: (emulator: Emulator) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator(options);
  try {
    await test(emulator);
  } finally {
    await emulator.stop();
  }
}

export async function getOrCreate(emulator: Emulator, body: object, call: Call = {}): Promise<Answer> {
  return send(emulator, { ...call, method: "GET", body });
}

export async function deleteGroup(emulator: Emulator, body: object, call: Call = {}): Promise<Answer> {
  return send(emulator, { ...call, method: "DELETE", body });
}

/** Sends a request; rejects where no whole answer came. */
export async function send(emulator: Emulator, call: Call): Promise<Answer> {
  const response = await open(emulator, call);
  const text = Buffer.concat(await chunksOf(response)).toString();
  return { status: response.statusCode, headers: response.headers, text, json: jsonOf(text) };
}

/** Sends a request; resolves when the head of the answer has come. */
export async function open(emulator: Emulator, call: Call): Promise<IncomingMessage> {
  const text = call.body === undefined ? "" : JSON.stringify(call.body);
  const send = emulator.baseUrl.startsWith("https:") ? requestByTls : request;
  const headers = {
    authorization: `Token ${emulator.apiToken}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const { method = "GET", path = "/api/user", agent, ca, signal } = call;
    const options = {
      method,
      headers,
      ...(agent && { agent }),
      ...(ca && { ca }),
      ...(signal && { signal }),
    };
    send(emulator.baseUrl + path, options, resolve)
      .on("error", reject)
      .end(text);
  });
}

/** The body as it came in, piece by piece; rejects where it breaks off. */
export async function chunksOf(response: IncomingMessage): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(response, "end");
  return chunks;
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

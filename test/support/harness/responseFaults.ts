/** Faults of a response that only the project's own tests need, as results of the emulator's `respond`. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { EmulatedResponse, FaultTime, RespondFault, ServiceResponse } from "../../../provider/testing";

/** No response, on an open connection. */
export function noResponse(): RespondFault {
  return respond(() => undefined);
}

/** The connection closes half way through a body whose whole length was announced. */
export function cutOff(): RespondFault {
  return respond(({ body, ...response }) => ({
    ...response,
    headers: { ...response.headers, "content-length": String(Buffer.byteLength(body)) },
    body: half(Buffer.from(body)),
  }));
}

/** The body comes byte by byte, with so many milliseconds between two bytes. */
export function drip(ms: number): RespondFault {
  return respond((response) => ({ ...response, body: drops(Buffer.from(response.body), ms) }));
}

/** A valid response that blanks make so many bytes long. */
export function padded(bytes: number): RespondFault {
  return changedBody((body) => body.padEnd(bytes));
}

/** Status 302 or another to the `location`, without effect. */
export function redirect(location: string, status = 302): RespondFault {
  return respond(() => ({ status, headers: { location }, body: "" }), "before");
}

/** Status 101, which no request asks for. */
export function switchesProtocols(): RespondFault {
  const headers = { connection: "upgrade", upgrade: "websocket" };
  return respond(() => ({ status: 101, headers, body: "" }));
}

/** Another body: this one, or the function's result for the service's own body. */
export function changedBody(
  changed: string | Uint8Array | ((body: string) => string | Uint8Array),
  headers: Readonly<Record<string, string>> = {},
): RespondFault {
  return respond((response) => ({
    ...response,
    headers: { ...response.headers, ...headers },
    body: typeof changed === "function" ? changed(response.body) : changed,
  }));
}

/** Status 200 with this body of JSON, without effect: a read that lags, or a cache. */
export function withoutEffect(body: string): RespondFault {
  const headers = { "content-type": "application/json" };
  return respond(() => ({ status: 200, headers, body }), "before");
}

/** The field has this value, which is any JSON; undefined: the field is missing. */
export function changedField(path: string, value?: unknown): RespondFault {
  const change = (text: string) => JSON.stringify(withField(JSON.parse(text), path.split("."), value));
  return changedBody(change);
}

function respond(
  change: (response: ServiceResponse) => EmulatedResponse | undefined,
  when: FaultTime = "after",
): RespondFault {
  return { kind: "respond", respond: change, when };
}

async function* half(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes.subarray(0, bytes.length / 2));
  throw new Error("The connection closes here");
}

async function* drops(bytes: Buffer, ms: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += 1) {
    yield bytes.subarray(index, index + 1);
    await sleep(ms, undefined, { ref: false });
  }
}

const jsonObject = z.record(z.string(), z.unknown());

/** A copy with one field set; JSON leaves out a field that is undefined. A path that leads nowhere changes nothing. */
function withField(json: unknown, path: readonly string[], value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  const object = jsonObject.safeParse(json).data;
  return object ? { ...object, [head]: withField(object[head], rest, value) } : json;
}

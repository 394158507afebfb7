/** Requests to the emulator without the product's own client. */
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestByTls } from "node:https";
import { text as textOf } from "node:stream/consumers";
import type { Emulator } from "../../../provider/testing";

/** One request, by default a get-or-create. `ca`: the certificate to trust. */
interface RawRequest extends Pick<RequestOptions, "agent" | "method"> {
  readonly path?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of the JSON of `body`. */
  readonly text?: string;
  readonly ca?: string;
}

/** Sends a request. Rejects without a complete response. */
export async function send(
  { baseUrl, apiToken }: Pick<Emulator, "baseUrl" | "apiToken">,
  { path = "/api/user", body = "", text = JSON.stringify(body), ...options }: RawRequest,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const headers = { authorization: `Token ${apiToken}`, "content-length": Buffer.byteLength(text) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const start = baseUrl.startsWith("https:") ? requestByTls : request;
    start(baseUrl + path, { ...options, headers }, resolve)
      .on("error", reject)
      .end(text);
  });
  return { status: response.statusCode, text: await textOf(response) };
}
